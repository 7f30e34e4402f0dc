// Where something can be delivered to, for whoever asks for it. How those servers are reached is for admins alone.

import { createRoute } from "@hono/zod-openapi";
import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers } from "../../contract/common.ts";
import { list, whole } from "../../contract/done.ts";
import { targetChoice, toTargetChoice } from "../../contract/media/targets.ts";
import type { Routes } from "../../http/routes.ts";

export function addTargetRoutes(routes: Routes, sluice: Sluice, { settings: { servers } }: MediaApp): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/media/targets",
      tags: ["media"],
      summary: "The servers that something can be asked for to, by name",
      responses: answers("The servers, 50 at most", list(targetChoice)),
    }),
    async (c) => c.json(whole((await servers.list(sluice.tables)).map(toTargetChoice)), 200),
  );
}
