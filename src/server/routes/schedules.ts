// Schedules: how they stand, and what an operator does to them.

import { createRoute, z } from "@hono/zod-openapi";
import { type Sluice, SluiceError } from "../../engine/index.ts";
import { dryRun } from "../contract/acted.ts";
import { answers, text } from "../contract/common.ts";
import { done, doUnless, list } from "../contract/done.ts";
import { scheduleState, toSchedule } from "../contract/recurring.ts";
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
      responses: answers("All of them, by name", list(scheduleState)),
    }),
    async (c) => {
      const tellsAll = ownerFor(c) === undefined;
      return c.json({ entries: (await schedules.list()).map((one) => toSchedule(one, tellsAll)) }, 200);
    },
  );
  const actions = {
    run: { summary: "Makes a run now, beside those that are planned", would: "Would make a run of it now." },
    pause: { summary: "No run is made until it is resumed", would: "Would make no more runs until it is resumed." },
    resume: {
      summary: "Goes on with the next planned time",
      would: "Would go on with its next planned time; what passed meanwhile is not made up for.",
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
        request: { params: z.object({ schedule: text }), query: dryRun },
        responses: answers("Done", done),
      }),
      async (c) => {
        const { schedule } = c.req.valid("param");
        const found = named("schedule", schedule, await schedules.list());
        // What it would be refused for can be said before.
        if (action === "pause" && found.isPaused) throw new SluiceError("REFUSED", "it is paused already");
        if (action === "resume" && !found.isPaused) throw new SluiceError("REFUSED", "it is not paused");
        const { user: by } = principalOf(c.get("principal"));
        const act = async () =>
          orRefuse(await orTold(`schedule ${schedule}`, () => schedules[action](schedule, { by })));
        return c.json(await doUnless(c.req.valid("query").dryRun, actions[action].would, act), 200);
      },
    );
}
