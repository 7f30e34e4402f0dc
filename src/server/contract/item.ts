// One item on the wire, with why it stands where it stands.

import { z } from "@hono/zod-openapi";
import type { Explanation, ItemView } from "../../engine/index.ts";
import { itemId, requestId, time } from "./common.ts";
import { ITEM_STATES } from "./items.ts";

export const explanation = z
  .object({
    code: z.string().openapi({ example: "service_down" }),
    sentence: z.string(),
    since: time.nullable(),
    until: time.nullable(),
    actions: z.array(z.string()),
  })
  .openapi("Explanation");

export const itemView = z
  .object({
    id: itemId,
    request: requestId,
    pipeline: z.string(),
    version: z.int(),
    currentStep: z.string(),
    stage: z.string(),
    state: z.enum(ITEM_STATES),
    status: z.string(),
    attempts: z.int(),
    maxAttempts: z.int().nullable(),
    lastError: z.object({ code: z.string(), message: z.string().nullable() }).nullable(),
    nextRetryAt: time.nullable(),
    wait: explanation,
    progress: z.number(),
    stageProgress: z.number().nullable(),
    priority: z.int(),
    owner: z.string().nullable(),
    key: z.string().nullable(),
    part: z.string().nullable(),
    targets: z.array(z.object({ id: itemId, name: z.string(), stage: z.string(), state: z.string() })),
    startedAt: time,
    completedAt: time.nullable(),
    input: z.unknown(),
    outputs: z.record(z.string(), z.unknown()),
  })
  .openapi("Item");

export function toExplanation({ reason, sentence, since, until, actions }: Explanation) {
  return {
    code: reason,
    sentence,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    actions: [...actions],
  };
}

export function toItemView(item: ItemView, why: Explanation) {
  const { id, request, pipeline, version, stage, state, status, attempts, progress, stageProgress, priority } = item;
  const { owner, key, part, code, message, input, outputs, until, createdAt, finishedAt } = item;
  return {
    ...{ id, request, pipeline, version, stage, state, status, progress, stageProgress, priority, owner, key, part },
    currentStep: stage,
    attempts: attempts.used,
    maxAttempts: attempts.max,
    lastError: code === null ? null : { code, message },
    nextRetryAt: until?.toISOString() ?? null,
    wait: toExplanation(why),
    targets: item.parts.map((one) => ({ id: one.id, name: one.name, stage: one.stage, state: one.state })),
    startedAt: createdAt.toISOString(),
    completedAt: finishedAt?.toISOString() ?? null,
    input,
    outputs: { ...outputs },
  };
}
