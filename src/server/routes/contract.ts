// The contract itself, made from the routes.

import { createRoute, z } from "@hono/zod-openapi";
import { answers } from "../contract/common.ts";
import type { Routes } from "../http/routes.ts";

export function addContractRoute(routes: Routes, version: string): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/openapi.json",
      tags: ["contract"],
      summary: "This contract, as OpenAPI 3.1",
      responses: answers("The contract", z.record(z.string(), z.unknown())),
    }),
    (c) => {
      const info = { title: "Sluice", version, description: "Durable pipelines for work that happens elsewhere." };
      const document = routes.app.getOpenAPI31Document({ openapi: "3.1.0", info });
      return c.json({ ...document } as Record<string, unknown>, 200);
    },
  );
}
