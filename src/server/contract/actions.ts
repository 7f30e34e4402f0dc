// What an action takes, beside what it is done to.

import { z } from "@hono/zod-openapi";
import { FILTER_LENGTH } from "../filter/parse.ts";
import { text } from "./common.ts";

const name = text.min(1).max(200);

const replay = {
  from: name.openapi({ description: "The stage it begins with; what earlier ones handed on is kept." }),
  as: z.enum(["same", "copy"]).default("same"),
  onto: z.int().min(1).max(1_000_000).optional().openapi({ description: "Another version of its pipeline." }),
};
const skip = {
  reason: text.min(1),
  stage: name.optional().openapi({ description: "Only while it is in this one." }),
};
const priority = { priority: z.int().min(1).max(5).openapi({ description: "1 (first) to 5 (last)." }) };

export const replayBody = z.strictObject(replay).openapi("Replay");
export const skipBody = z.strictObject(skip).openapi("Skip");
export const priorityBody = z.strictObject(priority).openapi("Priority");

/** As it is done to one. Spelled out: what extends a closed shape would be told as both at once, which nothing can be. */
export const anyAction = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("retry") }),
    z.strictObject({ type: z.literal("cancel") }),
    z.strictObject({ type: z.literal("take-back") }),
    z.strictObject({ type: z.literal("run-once") }),
    z.strictObject({ ...replay, type: z.literal("replay") }),
    z.strictObject({ ...skip, type: z.literal("skip") }),
    z.strictObject({ ...priority, type: z.literal("set-priority") }),
  ])
  .openapi("Action");

export const bulkBody = z
  .strictObject({
    action: anyAction,
    filter: z.string().min(1).max(FILTER_LENGTH).openapi({
      description:
        "In the filter language. One value of each, nothing turned round; of `state` several, of `id` up to 200.",
      example: "state:failed error:GW_TIMEOUT",
    }),
    expected: z.int().min(0).max(1_000_000).optional().openapi({
      description:
        "What the dry run `matched`. If more match by now, nothing is begun: 409, and the sentence says how many. Left out, all that match are meant.",
    }),
  })
  .openapi("BulkOrder");
