// Operations on many items, on the wire.

import { z } from "@hono/zod-openapi";
import type { BulkMember, BulkOperation, BulkPreview } from "../../engine/index.ts";
import { anyAction } from "./actions.ts";
import { itemId, time } from "./common.ts";

export const operationId = z.string().openapi({ example: "opr_0000000000001" });
export const operationParam = z.object({ operation: z.string().max(40) });

export const preview = z
  .object({
    matched: z.int(),
    would: z.int().openapi({ description: "To how many it would be done." }),
    examples: z.array(itemId).openapi({ description: "The first few of those." }),
    refused: z.array(z.object({ reason: z.string(), items: z.int() })),
  })
  .openapi("BulkPreview");

export const operation = z
  .object({
    id: operationId,
    state: z.enum(["running", "finished", "stopped"]),
    action: anyAction,
    by: z.string(),
    total: z.int(),
    counts: z.object({ done: z.int(), refused: z.int(), failed: z.int(), stopped: z.int(), open: z.int() }),
    progress: z.number(),
    rate: z.number().openapi({ description: "Items a second." }),
    since: time,
    finishedAt: time.nullable(),
  })
  .openapi("BulkOperation");

/** Of an order: what would come of it, or what was begun. */
export const ordered = z
  .object({ operation: operation.nullable(), preview: preview.nullable() })
  .openapi("BulkOrdered");

export const OUTCOMES = ["open", "done", "refused", "failed", "stopped"] as const;

export const member = z
  .object({
    item: itemId,
    outcome: z.enum(OUTCOMES),
    reason: z.string().nullable(),
    copy: itemId.nullable(),
    at: time.nullable(),
  })
  .openapi("BulkMember");

export function toPreview({ matched, would, examples, refused }: BulkPreview) {
  const reasons = Object.entries(refused).map(([reason, items]) => ({ reason, items }));
  return { matched, would, examples: [...examples], refused: reasons.sort((a, b) => b.items - a.items) };
}

export function toOperation({ since, finishedAt, action, counts, ...rest }: BulkOperation) {
  return {
    ...rest,
    action: { ...action },
    counts: { ...counts },
    since: since.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

export function toMember({ at, ...rest }: BulkMember) {
  return { ...rest, at: at?.toISOString() ?? null };
}
