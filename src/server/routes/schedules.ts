// Schedules: how they stand, and what an operator does to them.

import { createRoute, z } from "@hono/zod-openapi";
import type { ActionResult, ScheduleRun, Sluice } from "../../engine/index.ts";
import { answers, page, pageQuery, text } from "../contract/common.ts";
import { done } from "../contract/done.ts";
import { scheduleState, toSchedule } from "../contract/recurring.ts";
import { toldDone } from "../http/dry-run.ts";
import { pageByName } from "../http/page.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { named, orRefuse, orTold } from "./named.ts";
import { ownerFor } from "./ownership.ts";

export function addScheduleRoutes(routes: Routes, sluice: Pick<Sluice, "schedules">): void {
  const { schedules } = sluice;
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/schedules",
      tags: ["schedules and finders"],
      summary: "Schedules, with their next and last run",
      request: { query: pageQuery.strict() },
      responses: answers("A page of them, by name", page(scheduleState)),
    }),
    async (c) => {
      const tellsAll = ownerFor(c) === undefined;
      return c.json(
        pageByName(await schedules.list(), c.req.valid("query"), (one) => toSchedule(one, tellsAll)),
        200,
      );
    },
  );
  const actions = {
    run: {
      summary: "Makes a run now, beside those that are planned",
      description: "A dry run asks the schedule's code, too, for what it would hand in.",
      would: (items: number) => `Would make a run of it now, with ${items === 1 ? "1 item" : `${items} items`}.`,
    },
    pause: {
      summary: "No run is made until it is resumed",
      would: () => "Would make no more runs until it is resumed.",
    },
    resume: {
      summary: "Goes on with the next planned time",
      would: () => "Would go on with its next planned time; what passed meanwhile is not made up for.",
    },
  } as const;
  for (const action of Object.keys(actions) as (keyof typeof actions)[])
    routes.add(
      "admin",
      createRoute({
        method: "post",
        path: `/api/v1/schedules/{schedule}/${action}`,
        tags: ["schedules and finders"],
        summary: actions[action].summary,
        request: { params: z.object({ schedule: text }) },
        responses: answers("Done", done),
      }),
      async (c) => {
        const { schedule } = c.req.valid("param");
        named("schedule", schedule, await schedules.list());
        const options = { by: principalOf(c.get("principal")).user, dryRun: c.get("isDry") };
        const act = (): Promise<ActionResult | ScheduleRun> => schedules[action](schedule, options);
        const result = await orTold(`schedule ${schedule}`, act);
        orRefuse(result);
        return c.json(toldDone(c, actions[action].would("items" in result ? result.items : 0)), 200);
      },
    );
}
