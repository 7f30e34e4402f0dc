// Items and requests on the wire.

import { z } from "@hono/zod-openapi";
import type { ItemLine, RequestLine } from "../../engine/index.ts";
import { itemId, pageQuery, requestId, text, time } from "./common.ts";

export const ITEM_STATES = ["queued", "running", "waiting", "needs-you", "done", "failed", "cancelled"] as const;

export const itemLine = z
  .object({
    id: itemId,
    request: requestId,
    pipeline: z.string(),
    version: z.int(),
    stage: z.string(),
    state: z.enum(ITEM_STATES),
    status: z.string().openapi({ description: "The pipeline's own word for it." }),
    reason: z.string().nullable(),
    since: time,
    until: time.nullable(),
    attempts: z.int(),
    maxAttempts: z.int().nullable(),
    progress: z.number(),
    priority: z.int(),
    owner: z.string().nullable(),
    key: z.string().nullable(),
    part: z.string().nullable(),
    createdAt: time,
    completedAt: time.nullable(),
    code: z.string().nullable(),
  })
  .openapi("ItemLine");

export const itemsQuery = pageQuery.extend({
  pipeline: text.optional(),
  version: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  stage: text.optional(),
  state: z.enum(ITEM_STATES).optional(),
  reason: text.optional(),
  owner: text.optional(),
  key: text.optional(),
  request: requestId.optional(),
});

export const requestLine = z
  .object({
    id: requestId,
    parent: itemId.nullable(),
    key: z.string().nullable(),
    owners: z.array(z.string()),
    status: z.enum(["PENDING", "PROCESSING", "COMPLETED", "PARTIAL", "FAILED", "CANCELLED"]),
    counts: z.object({
      total: z.int(),
      completed: z.int(),
      partly: z.int(),
      failed: z.int(),
      cancelled: z.int(),
    }),
    createdAt: time,
  })
  .openapi("RequestLine");

export const requestsQuery = pageQuery.extend({
  owner: text.optional(),
  key: text.optional(),
  over: z.stringbool().optional(),
});

export function toItemLine({ attempts, since, until, createdAt, finishedAt, ...line }: ItemLine) {
  return {
    ...line,
    attempts: attempts.used,
    maxAttempts: attempts.max,
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    completedAt: finishedAt?.toISOString() ?? null,
  };
}

export function toRequestLine({ createdAt, owners, ...line }: RequestLine) {
  return { ...line, owners: [...owners], createdAt: createdAt.toISOString() };
}
