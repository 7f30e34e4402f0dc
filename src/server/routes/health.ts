// Whether we live, and whether we can work.

import { createRoute, z } from "@hono/zod-openapi";
import type { Logger, Sluice } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import type { Routes } from "../http/routes.ts";

const alive = z.object({ status: z.literal("ok") });
const ready = z.object({ status: z.enum(["ready", "not ready"]), reasons: z.array(z.string()) });

const ASK = { name: "ready", text: "select 1 as one" };
/** Those who watch over us wait a few seconds themselves. */
const ASK_MS = 2_000;

/** Asks once for all who want to know at the same time: a database that hangs is not asked more and more. */
function whetherReady({ tables }: Pick<Sluice, "tables">): () => Promise<void> {
  let asking: Promise<unknown> | undefined;
  return async () => {
    asking ??= tables.query(ASK, []).finally(() => {
      asking = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${ASK_MS} ms`)), ASK_MS);
    });
    try {
      await Promise.race([asking, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

export function addHealthRoutes(routes: Routes, sluice: Pick<Sluice, "tables">, log: Logger): void {
  const askWhetherReady = whetherReady(sluice);
  routes.add(
    "open",
    createRoute({
      method: "get",
      path: "/healthz",
      tags: ["health"],
      summary: "Whether the process lives",
      responses: { 200: { description: "It does", content: { "application/json": { schema: alive } } } },
    }),
    (c) => c.json({ status: "ok" as const }, 200),
  );
  routes.add(
    "open",
    createRoute({
      method: "get",
      path: "/readyz",
      tags: ["health"],
      summary: "Whether it can work, else why not",
      responses: {
        200: { description: "It can", content: { "application/json": { schema: ready } } },
        503: { description: "It cannot", content: { "application/json": { schema: ready } } },
      },
    }),
    async (c) => {
      try {
        await askWhetherReady();
        return c.json({ status: "ready" as const, reasons: [] }, 200);
      } catch (error) {
        // Anybody may ask: where it is and who we are there is for the log.
        log.warn("server.not-ready", { error: safeText(error, 300) });
        return c.json({ status: "not ready" as const, reasons: ["the database does not answer"] }, 503);
      }
    },
  );
}
