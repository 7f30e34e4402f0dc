// Items and requests on the wire, a line each.

import { z } from "@hono/zod-openapi";
import type { ItemLine, RequestLine } from "../../engine/index.ts";
import type { Principal } from "../access/principal.ts";
import { ITEM_STATES, REQUEST_STATUSES } from "../filter/fields.ts";
import { itemId, listQuery, requestId, tenths, time } from "./common.ts";
import { explanation, toExplanation } from "./explanation.ts";

export const lastError = z
  .object({ code: z.string(), message: z.string().nullable() })
  .nullable()
  .openapi({ description: "Why it failed, or who cancelled it; of what lives, its last fault." });

export const itemLine = z
  .object({
    id: itemId,
    request: requestId,
    pipeline: z.string(),
    version: z.int(),
    currentStep: z.string().openapi({ description: "The same as stage." }),
    stage: z.string(),
    state: z.enum(ITEM_STATES),
    status: z.string().openapi({ description: "The pipeline's own word for it." }),
    reason: z.string().nullable().openapi({ description: "Why it waits; the same as the code of wait." }),
    since: time,
    until: time.nullable(),
    wait: explanation.nullable().openapi({ description: "Null while it is worked on, and where it has ended." }),
    attempts: z.int(),
    maxAttempts: z.int().nullable(),
    lastError,
    nextRetryAt: time.nullable(),
    progress: z.number(),
    priority: z.int(),
    owner: z.string().nullable(),
    key: z.string().nullable(),
    title: z.string().nullable().openapi({ description: "What people call it, where its pipeline tells." }),
    part: z.string().nullable().openapi({ description: "The name of the part it is." }),
    partOf: itemId.nullable().openapi({ description: "The item it is a part of." }),
    createdAt: time,
    completedAt: time.nullable(),
  })
  .openapi("ItemLine");

export const itemsQuery = listQuery("state:failed pipeline:media attempt:>2");

export const requestLine = z
  .object({
    id: requestId,
    parent: itemId.nullable(),
    key: z.string().nullable(),
    owners: z.array(z.string()),
    status: z.enum(REQUEST_STATUSES),
    counts: z.object({
      total: z.int(),
      completed: z.int(),
      partly: z.int(),
      failed: z.int(),
      cancelled: z.int(),
    }),
    items: z.string().openapi({ description: "Where its items are listed." }),
    createdAt: time,
  })
  .openapi("RequestLine");

export const requestsQuery = listQuery("status:failed age:<1d");

export function toItemLine(item: ItemLine, principal: Principal) {
  const { attempts, since, until, wait, createdAt, finishedAt, code, message, ...line } = item;
  return {
    ...line,
    wait: wait === null ? null : toExplanation(wait, principal),
    currentStep: line.stage,
    progress: tenths(line.progress),
    attempts: attempts.used,
    maxAttempts: attempts.max,
    lastError: code === null ? null : { code, message },
    // What waits without an end, or has ended, is not tried again by itself.
    nextRetryAt: until?.toISOString() ?? null,
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    completedAt: finishedAt?.toISOString() ?? null,
  };
}

/** To a member who is one owner of several: who else asked for the same is nobody's business. */
export function toRequestLine({ createdAt, owners, ...line }: RequestLine, own: string | null) {
  return {
    ...line,
    owners: own === null ? [...owners] : [own],
    items: `/api/v1/items?filter=request:${line.id}`,
    createdAt: createdAt.toISOString(),
  };
}
