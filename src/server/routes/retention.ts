// How long things are kept: how it stands, what would go next, and setting it.

import { createRoute } from "@hono/zod-openapi";
import type { RetentionOptions, Sluice } from "../../engine/index.ts";
import { answers, jsonBody } from "../contract/common.ts";
import { done } from "../contract/done.ts";
import { retention, retentionBody, retentionPreview, toRetention, toRetentionPreview } from "../contract/retention.ts";
import { toldDone } from "../http/dry-run.ts";
import type { Routes } from "../http/routes.ts";
import { ownerFor } from "./ownership.ts";

export function addRetentionRoutes(routes: Routes, sluice: Pick<Sluice, "retention" | "keep">): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/retention",
      tags: ["settings"],
      summary: "How long things are kept, how much is stored, and what should be gone and is not",
      responses: answers("How it stands", retention),
    }),
    async (c) => c.json(toRetention(await sluice.retention.status(), ownerFor(c) === undefined), 200),
  );
  // Every request is looked at.
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: "/api/v1/retention/preview",
      tags: ["settings"],
      summary: "What the next runs would remove as things stand; removes nothing",
      responses: answers("What would go", retentionPreview),
    }),
    async (c) => c.json(toRetentionPreview(await sluice.retention.preview()), 200),
  );
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: "/api/v1/retention",
      tags: ["settings"],
      summary: "Sets how long things are kept that belong to no pipeline; what is left out stays",
      description:
        "For all processes, from now on, until one is started that is given another time. How long requests are kept is said by " +
        "their pipeline's code.",
      request: jsonBody(retentionBody),
      responses: answers("It holds from now on", done),
    }),
    async (c) => {
      const given = Object.entries(c.req.valid("json")).filter(([, time]) => time !== undefined);
      const times = Object.fromEntries(given) as RetentionOptions; // with exactly these names, as was checked
      await sluice.keep(times, { dryRun: c.get("isDry") });
      c.set("deed", { action: "retention.set", detail: times });
      const told = given.map(([name, time]) => `${name} for ${typeof time === "number" ? `${time} ms` : time}`);
      const { history } = times;
      const weeks = !c.get("isDry") || history === undefined ? [] : await sluice.retention.weeksBeyond(history);
      return c.json(toldDone(c, `Would keep ${told.join(", ")}.${weeksWords(weeks)}`), 200);
    },
  );
}

/** What is gone cannot be asked for again, so it is said before. */
function weeksWords(weeks: readonly string[]): string {
  if (weeks.length === 0) return "";
  const [first, last] = [weeks[0] ?? "", weeks.at(-1) ?? ""];
  if (weeks.length === 1) return ` What happened in the week ${first} would go.`;
  return ` What happened in ${weeks.length} weeks would go, from ${first} to ${last}.`;
}
