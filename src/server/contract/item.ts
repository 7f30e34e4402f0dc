// One item on the wire, with why it stands where it stands; and one request.

import { z } from "@hono/zod-openapi";
import type { ItemView, PartView, RequestView } from "../../engine/index.ts";
import type { Principal } from "../access/principal.ts";
import { itemId, tenths, time } from "./common.ts";
import { explanation, toExplanation } from "./explanation.ts";
import { itemLine, requestLine, toItemLine, toRequestLine } from "./items.ts";

const lastError = z
  .object({ code: z.string(), message: z.string().nullable(), at: time.nullable() })
  .nullable()
  .openapi({ description: "Why it failed, or who cancelled it; of what lives, its last fault." });

const target = z
  .object({
    id: itemId.openapi({ description: "A part is an item: all that is asked of one may be asked of it." }),
    name: z.string(),
    stage: z.string(),
    state: z.enum(["pending", "done", "failed", "cancelled"]),
    attempts: z.int(),
    progress: z.number().nullable(),
    reason: z.string().nullable(),
    since: time,
    until: time.nullable(),
    lastError: z.object({ code: z.string(), message: z.string().nullable() }).nullable(),
  })
  .openapi("Target");

export const itemView = itemLine
  .extend({
    lastError,
    wait: explanation.openapi({ description: "Told of every item, also of one that is worked on or has ended." }),
    series: z.int(),
    stageProgress: z.number().nullable(),
    checkpoint: z
      .object({
        stage: z.string(),
        at: time,
        bytes: z.int(),
        value: z.unknown().openapi({ description: "Null where it is larger than 16 KiB." }),
      })
      .nullable(),
    targets: z.array(target).openapi({ description: "Its parts, of each stage those that were made last." }),
    outside: z
      .array(
        z.object({
          service: z.string(),
          stage: z.string(),
          ref: z.string().nullable().openapi({ description: "Its name there." }),
          since: time,
          leftBehind: z.boolean().openapi({ description: "Nobody waits for it any more; it is being removed there." }),
        }),
      )
      .openapi({ description: "What exists for it in services, or may." }),
    gates: z
      .array(
        z.object({
          stage: z.string(),
          gate: z.string().nullable().openapi({ description: "The name of its function; null where it has none." }),
          on: z.enum(["enter", "leave"]),
          verdict: z
            .enum(["passed", "refused", "sent-back"])
            .nullable()
            .openapi({ description: "What it last said; null where the item has not come to it." }),
          at: time.nullable(),
          message: z.string().nullable(),
          refusals: z.int().openapi({ description: "How often it did not let it pass." }),
        }),
      )
      .openapi({ description: "Of all its stages; none where the server lacks the pipeline's code." }),
    startedAt: time.nullable(),
    input: z.unknown(),
    outputs: z.record(z.string(), z.unknown()),
  })
  .openapi("Item");

export const requestView = requestLine
  .extend({
    progress: z.number(),
    removal: z.object({ by: z.string(), since: time, sentence: z.string() }).nullable(),
  })
  .openapi("Request");

export function toItemView(item: ItemView, principal: Principal) {
  const { series, stageProgress, checkpoint, outside, input, outputs, codeAt, startedAt, parts, gates, ...line } = item;
  const { lastError: error, ...told } = toItemLine(line, principal);
  return {
    ...told,
    lastError: error === null ? null : { ...error, at: codeAt?.toISOString() ?? null },
    wait: toExplanation(item.wait, principal),
    series,
    stageProgress: stageProgress === null ? null : tenths(stageProgress),
    checkpoint: checkpoint === null ? null : { ...checkpoint, at: checkpoint.at.toISOString() },
    targets: parts.map(toTarget),
    outside: outside.map(({ service, stage, ref, since, isLeftBehind }) => ({
      ...{ service, stage, ref, since: since.toISOString(), leftBehind: isLeftBehind },
    })),
    gates: gates.map((one) => ({ ...one, at: one.at?.toISOString() ?? null })),
    startedAt: startedAt?.toISOString() ?? null,
    input,
    outputs: { ...outputs },
  };
}

function toTarget({ since, until, code, message, ...part }: PartView) {
  return {
    ...part,
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
    lastError: code === null ? null : { code, message },
  };
}

export function toRequestView({ progress, removal, ...line }: RequestView, own: string | null) {
  return {
    ...toRequestLine(line, own),
    progress: tenths(progress),
    removal: removal === null ? null : { ...removal, since: removal.since.toISOString() },
  };
}
