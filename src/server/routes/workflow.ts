// All switches of stages at once, as one object; also under the path that older scripts know.

import { createRoute, z } from "@hono/zod-openapi";
import { type Sluice, SluiceError } from "../../engine/index.ts";
import { answers, jsonBody } from "../contract/common.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { changesTo, etagOf, namedStages, workflowOf } from "../settings/workflow.ts";

const workflow = z
  .record(z.string().max(400), z.boolean())
  .openapi("Workflow", { example: { scan: true, publish: false } });

const ifMatch = z.object({
  "if-match": z
    .string()
    .max(200)
    .optional()
    .openapi({ description: "The ETag of what was read: refuses if it changed." }),
});

const PATHS = ["/api/v1/settings/workflow", "/api/settings/workflow"] as const;

export function addWorkflowRoutes(routes: Routes, sluice: Pick<Sluice, "figures" | "switches">): void {
  const read = async () => {
    const stages = namedStages(await sluice.figures());
    return { stages, now: workflowOf(stages, await sluice.switches.list()) };
  };
  for (const path of PATHS) {
    routes.add(
      "read",
      createRoute({
        method: "get",
        path,
        tags: ["settings"],
        summary: "Which stages are switched on",
        description: "A stage goes by its name, and by `pipeline.stage` where several pipelines have one of that name.",
        responses: answers("Every stage, with an ETag", workflow),
      }),
      async (c) => {
        const { now } = await read();
        c.header("etag", etagOf(now));
        return c.json({ ...now }, 200);
      },
    );
    routes.add(
      "admin",
      createRoute({
        method: "put",
        path,
        tags: ["settings"],
        summary: "Switches stages on and off; those that are not named stay as they are",
        request: { headers: ifMatch, ...jsonBody(workflow) },
        responses: answers("Every stage, as it is now, or would be", workflow),
      }),
      async (c) => {
        const { stages, now } = await read();
        const expected = c.req.valid("header")["if-match"];
        if (expected !== undefined && expected !== "*" && expected !== etagOf(now))
          throw new SluiceError("CHANGED", "somebody switched a stage since this was read; read it again", {
            field: "if-match",
          });
        const changes = changesTo(stages, now, c.req.valid("json"));
        const named = Object.fromEntries(changes.map(({ name, on }) => [name, on]));
        c.set("deed", { action: "settings.workflow", detail: named });
        if (!c.get("isDry")) {
          const { user: by } = principalOf(c.get("principal"));
          for (const { pipeline, stage, on } of changes)
            await sluice.switches[on ? "on" : "off"]({ pipeline, stage }, { by });
        }
        const after = { ...now, ...named };
        c.header("etag", etagOf(after));
        return c.json(after, 200);
      },
    );
  }
}
