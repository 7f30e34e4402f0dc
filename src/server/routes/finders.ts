// Finders: what they found, and what an operator does to them.

import { createRoute, z } from "@hono/zod-openapi";
import { type Sluice, SluiceError } from "../../engine/index.ts";
import { answers, jsonBody, page, pageQuery, text } from "../contract/common.ts";
import { DONE, done } from "../contract/done.ts";
import { finderState, toFinder } from "../contract/recurring.ts";
import { toldDone } from "../http/dry-run.ts";
import { pageByName } from "../http/page.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { named, orRefuse, orTold } from "./named.ts";
import { ownerFor } from "./ownership.ts";

const params = z.object({ finder: text });
const rewound = z.strictObject({ after: z.unknown().openapi({ description: "As the finder itself hands it on." }) });

export function addFinderRoutes(routes: Routes, sluice: Pick<Sluice, "finders">): void {
  const { finders } = sluice;
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/finders",
      tags: ["schedules and finders"],
      summary: "Finders, with what they found last",
      request: { query: pageQuery.strict() },
      responses: answers("A page of them, by name", page(finderState)),
    }),
    async (c) => {
      const tellsAll = ownerFor(c) === undefined;
      return c.json(
        pageByName(await finders.list(), c.req.valid("query"), (one) => toFinder(one, tellsAll)),
        200,
      );
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
      request: { params },
      responses: answers("A worker looks as soon as it can", done),
    }),
    async (c) => {
      const { finder } = c.req.valid("param");
      const { isPaused } = named("finder", finder, await finders.list());
      if (isPaused) throw new SluiceError("REFUSED", "it is paused; resume it, and it looks at once");
      const { user: by } = principalOf(c.get("principal"));
      if (!c.get("isDry")) {
        orRefuse(await finders.run(finder, { by }));
        return c.json(DONE, 200);
      }
      const found = await orTold(`finder ${finder}`, () => finders.run(finder, { dryRun: true }));
      const would = `Of what it finds now ${found.new.length} would enter, ${found.known.length} are known.`;
      return c.json(toldDone(c, would), 200);
    },
  );
  addPauses(routes, sluice);
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/finders/{finder}/rewind",
      tags: ["schedules and finders"],
      summary: "Has it begin again somewhere; what entered before stays known",
      request: { params, ...jsonBody(rewound) },
      responses: answers("It begins there with its next look", done),
    }),
    async (c) => {
      const { finder } = c.req.valid("param");
      const { after = null } = c.req.valid("json");
      named("finder", finder, await finders.list());
      const options = { by: principalOf(c.get("principal")).user, dryRun: c.get("isDry") };
      orRefuse(await finders.rewind(finder, after, options));
      return c.json(toldDone(c, "Would begin there with its next look."), 200);
    },
  );
}

function addPauses(routes: Routes, { finders }: Pick<Sluice, "finders">): void {
  const pauses = {
    pause: {
      summary: "It looks for nothing until it is resumed",
      would: "Would look for nothing until it is resumed.",
    },
    resume: { summary: "It looks at once, from where it was", would: "Would look at once, from where it was." },
  } as const;
  for (const action of Object.keys(pauses) as (keyof typeof pauses)[])
    routes.add(
      "admin",
      createRoute({
        method: "post",
        path: `/api/v1/finders/{finder}/${action}`,
        tags: ["schedules and finders"],
        summary: pauses[action].summary,
        request: { params },
        responses: answers("Done", done),
      }),
      async (c) => {
        const { finder } = c.req.valid("param");
        named("finder", finder, await finders.list());
        const options = { by: principalOf(c.get("principal")).user, dryRun: c.get("isDry") };
        orRefuse(await finders[action](finder, options));
        return c.json(toldDone(c, pauses[action].would), 200);
      },
    );
}
