// Failures in groups, on the wire.

import { z } from "@hono/zod-openapi";
import type { FailureGroups } from "../../engine/index.ts";
import { termsText } from "../filter/filter.ts";
import { itemId, text, time } from "./common.ts";
import { list } from "./done.ts";

export const failuresQuery = z.strictObject({ pipeline: text.optional() });

const group = z.object({
  pipeline: z.string(),
  stage: z.string(),
  code: z.string(),
  message: z.string().openapi({
    description: "What their messages have in common: # stands for numbers, … for names, paths and ids.",
    example: "no answer after #s",
  }),
  count: z.int(),
  firstAt: time,
  lastAt: time,
  example: z.object({ item: itemId, message: z.string().nullable() }),
  filter: z.string().openapi({ description: "Finds at least these, in the filter language." }),
  retry: z
    .object({ can: z.boolean(), reason: z.string().nullable() })
    .openapi({ description: "As things are. What a pipeline's own check says is known when it is done." }),
  advice: z.string().nullable().openapi({ description: "What helps, of codes that are the engine's own." }),
});

export const failureGroups = list(group)
  .extend({
    looked: z.int().openapi({ description: "So many of the newest failures were looked at, parts included." }),
    isMore: z.boolean().openapi({ description: "There are older ones, which were not looked at." }),
    others: z.int().openapi({ description: "Items in further groups, which are not told." }),
  })
  .openapi("FailureGroups");

export function toFailures({ groups, ...looked }: FailureGroups) {
  return {
    entries: groups.map(({ firstAt, lastAt, ...group }) => ({
      ...group,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
      filter: termsText([
        ["state", "failed"],
        ["kind", "item"],
        ["pipeline", group.pipeline],
        ...(group.stage === "" ? [] : [["stage", group.stage] as const]),
        ...byCode(group.code),
        ...saidBy(group.message),
      ]),
    })),
    next: null,
    ...looked,
  };
}

/** What has no code is told by this one, and not found by it. */
export function byCode(code: string): readonly (readonly ["error", string])[] {
  return code === "UNKNOWN" ? [] : [["error", code]];
}

/** Shorter pieces are in every other message. */
const PIECE_LEAST = 4;

/** Of what their messages have in common, the longest piece that stands in all of them. */
function saidBy(pattern: string): readonly (readonly ["message", string])[] {
  const [longest = ""] = pattern
    .split(/[#…]/u)
    .map((piece) => piece.trim())
    .toSorted((a, b) => b.length - a.length);
  return longest.length < PIECE_LEAST ? [] : [["message", longest]];
}
