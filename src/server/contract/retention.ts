// How long things are kept, what is stored, and what would go, on the wire.

import { z } from "@hono/zod-openapi";
import type { RetentionPreview, RetentionStatus } from "../../engine/index.ts";
import { requestId, time } from "./common.ts";
import { duration } from "./submit.ts";

const ms = z.number().nullable().openapi({ description: "Milliseconds; null is for ever." });

export const retention = z
  .object({
    limits: z
      .object({ history: z.number(), audit: z.number(), signals: z.number() })
      .openapi({ description: "Milliseconds: what happened; who did what; signals that nobody took." }),
    pipelines: z
      .array(z.object({ name: z.string(), version: z.int(), done: ms, failed: ms, cancelled: ms }))
      .openapi({ description: "How long requests are kept once all of their items have ended. Set by their code." }),
    tables: z
      .array(z.object({ name: z.string(), bytes: z.number(), rows: z.number() }))
      .openapi({ description: "Largest first; rows are the database's estimate. None for members." }),
    oldestRequest: time.nullable(),
    oldestWeek: z.string().nullable().openapi({ description: "Of what happened.", example: "2026w07" }),
    lastRun: time.nullable(),
    heldUntil: time.nullable().openapi({ description: "Nothing is removed before: the clock moved by days." }),
    leaving: z
      .array(z.object({ request: requestId, by: z.string().nullable(), since: time, obstacle: z.string().nullable() }))
      .openapi({ description: "What should be gone and is not, and why; none for members." }),
  })
  .openapi("Retention");

export const retentionPreview = z
  .object({
    requests: z.int(),
    isMore: z.boolean().openapi({ description: "There are more; these were counted." }),
    items: z.array(
      z.object({
        pipeline: z.string(),
        version: z.int(),
        state: z.enum(["done", "failed", "cancelled"]),
        items: z.int(),
      }),
    ),
    weeks: z.array(z.string()).openapi({ description: "Of what happened." }),
  })
  .openapi("RetentionPreview");

const LIMITS = ["history", "audit", "signals"] as const;

export const retentionBody = z
  .strictObject({ history: duration.optional(), audit: duration.optional(), signals: duration.optional() })
  .refine((given) => LIMITS.some((name) => given[name] !== undefined), `say how long: ${LIMITS.join(", ")}`)
  .openapi("RetentionChange", { example: { history: "30d" } });

export function toRetention(status: RetentionStatus, tellsAll: boolean) {
  const { oldestRequest, lastRun, heldUntil, tables, pipelines, leaving, limits, oldestWeek } = status;
  return {
    limits: { ...limits },
    pipelines: pipelines.map((one) => ({ ...one })),
    tables: tellsAll ? tables.map((one) => ({ ...one })) : [],
    oldestRequest: tellsAll ? (oldestRequest?.toISOString() ?? null) : null,
    oldestWeek,
    lastRun: lastRun?.toISOString() ?? null,
    heldUntil: heldUntil?.toISOString() ?? null,
    leaving: tellsAll ? leaving.map(({ since, ...one }) => ({ ...one, since: since.toISOString() })) : [],
  };
}

export function toRetentionPreview({ items, weeks, ...rest }: RetentionPreview) {
  return { ...rest, items: items.map((one) => ({ ...one })), weeks: [...weeks] };
}
