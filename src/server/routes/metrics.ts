// Numbers for Prometheus. They count everybody's work, so they are for those who may see everybody's.

import { createRoute, z } from "@hono/zod-openapi";
import { SluiceError } from "../../engine/index.ts";
import { ownOnly } from "../access/principal.ts";
import { problem } from "../contract/common.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import type { Metrics } from "../metrics/metrics.ts";

export function addMetricsRoute(routes: Routes, metrics: Pick<Metrics, "text" | "contentType">): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/metrics",
      tags: ["health"],
      summary: "Numbers in Prometheus' text format",
      responses: {
        200: { description: "The numbers", content: { "text/plain": { schema: z.string() } } },
        default: { description: "What went wrong", content: { "application/problem+json": { schema: problem } } },
      },
    }),
    async (c) => {
      const principal = principalOf(c.get("principal"));
      if (ownOnly(principal) !== null)
        throw new SluiceError("FORBIDDEN", "these numbers count everybody's work; ask as a viewer or an admin");
      return c.text(await metrics.text(), 200, { "content-type": metrics.contentType });
    },
  );
}
