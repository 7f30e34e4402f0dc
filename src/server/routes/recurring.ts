// Schedules and finders: how they stand, and what an operator does to them.

import { createRoute, z } from "@hono/zod-openapi";
import { type ActionResult, type Sluice, SluiceError } from "../../engine/index.ts";
import { ownOnly } from "../access/principal.ts";
import { dryRun } from "../contract/acted.ts";
import { answers, text } from "../contract/common.ts";
import { done, doUnless, jsonBody, list } from "../contract/done.ts";
import { orElse } from "../contract/nearest.ts";
import { finderState, scheduleState, toFinder, toSchedule } from "../contract/recurring.ts";
import { principalOf, type Routes } from "../http/routes.ts";

const rewound = z.strictObject({ after: z.unknown().openapi({ description: "As the finder itself hands it on." }) });

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
      const tellsAll = ownOnly(principalOf(c.get("principal"))) === null;
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
        const act = async () => orRefuse(await schedules[action](schedule, { by }));
        return c.json(await doUnless(c.req.valid("query").dryRun, actions[action].would, act), 200);
      },
    );
}

export function addFinderRoutes(routes: Routes, sluice: Pick<Sluice, "finders">): void {
  const { finders } = sluice;
  const params = z.object({ finder: text });
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/finders",
      tags: ["schedules and finders"],
      summary: "Finders, with what they found last",
      responses: answers("All of them, by name", list(finderState)),
    }),
    async (c) => {
      const tellsAll = ownOnly(principalOf(c.get("principal"))) === null;
      return c.json({ entries: (await finders.list()).map((one) => toFinder(one, tellsAll)) }, 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/finders/{finder}/run",
      tags: ["schedules and finders"],
      summary: "Has it look now",
      description: "A dry run looks here, where the server has the finder's code, and tells what would enter.",
      request: { params, query: dryRun },
      responses: answers("A worker looks as soon as it can", done),
    }),
    async (c) => {
      const { finder } = c.req.valid("param");
      named("finder", finder, await finders.list());
      const { user: by } = principalOf(c.get("principal"));
      const would = async () => {
        const found = await finders.run(finder, { dryRun: true });
        return `Of what it finds now ${found.new.length} would enter, ${found.known.length} are known.`;
      };
      const act = async () => orRefuse(await finders.run(finder, { by }));
      return c.json(await doUnless(c.req.valid("query").dryRun, would, act), 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/finders/{finder}/rewind",
      tags: ["schedules and finders"],
      summary: "Has it begin again somewhere; what entered before stays known",
      request: { params, query: dryRun, ...jsonBody(rewound) },
      responses: answers("It begins there with its next look", done),
    }),
    async (c) => {
      const { finder } = c.req.valid("param");
      const { after = null } = c.req.valid("json");
      named("finder", finder, await finders.list());
      const { user: by } = principalOf(c.get("principal"));
      const act = async () => orRefuse(await finders.rewind(finder, after, { by }));
      return c.json(await doUnless(c.req.valid("query").dryRun, "Would begin there with its next look.", act), 200);
    },
  );
}

function named<One extends { readonly name: string }>(kind: string, name: string, all: readonly One[]): One {
  const found = all.find((one) => one.name === name);
  const known = all.map((one) => one.name);
  if (found === undefined)
    throw new SluiceError("NOT_FOUND", `there is no ${kind} ${name}; ${orElse(name, known)}`, { field: kind });
  return found;
}

function orRefuse(result: ActionResult): void {
  if (!result.ok) throw new SluiceError("REFUSED", result.reason);
}
