// How work went over time, and what it failed of. To a member, how their own did.

import { createRoute } from "@hono/zod-openapi";
import type { Sluice } from "../../engine/index.ts";
import { answers } from "../contract/common.ts";
import { failureGroups, failuresQuery, toFailures } from "../contract/failures.ts";
import { toTrends, trends, trendsQuery } from "../contract/trends.ts";
import type { Routes } from "../http/routes.ts";
import { ownerFor } from "./ownership.ts";

export function addTrendRoutes(routes: Routes, sluice: Pick<Sluice, "trends" | "failures">): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/trends",
      tags: ["overview"],
      summary: "How work went: items done and failed over time, why they failed, and what the last week came to",
      request: { query: trendsQuery },
      responses: answers("The trends", trends),
    }),
    async (c) => {
      const { range, pipeline } = c.req.valid("query");
      const owner = ownerFor(c);
      const told = await sluice.trends({ range, pipeline, owner });
      return c.json(toTrends(told, pipeline, owner === undefined ? "all" : "own"), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/failures",
      tags: ["overview"],
      summary: "What stands failed, by what it failed of: pipeline, stage, code, and what the messages have in common",
      request: { query: failuresQuery },
      responses: answers("Of the newest failures, the largest groups", failureGroups),
    }),
    async (c) => {
      const { pipeline } = c.req.valid("query");
      return c.json(toFailures(await sluice.failures({ pipeline, owner: ownerFor(c) })), 200);
    },
  );
}
