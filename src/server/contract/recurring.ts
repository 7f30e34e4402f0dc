// Schedules, finders and questions on the wire.

import { z } from "@hono/zod-openapi";
import type { FinderState, OpenQuestion, ScheduleState } from "../../engine/index.ts";
import { itemId, time } from "./common.ts";

const error = z
  .object({ code: z.string(), message: z.string(), failures: z.int() })
  .nullable()
  .openapi({ description: "Why the last run failed; null for members, because it may tell of others' items." });

export const scheduleState = z
  .object({
    name: z.string(),
    rule: z.string(),
    next: time.nullable(),
    last: time.nullable(),
    missed: z.int(),
    isPaused: z.boolean(),
    error,
  })
  .openapi("Schedule");

export const finderState = z
  .object({
    name: z.string(),
    isRunning: z.boolean(),
    isPaused: z.boolean(),
    lastRun: time.nullable(),
    nextRun: time,
    found: z.int(),
    new: z.int(),
    known: z.int(),
    after: z.unknown().openapi({ description: "Where the next page begins; null for members." }),
    error,
  })
  .openapi("Finder");

export const question = z
  .object({
    id: z.string().openapi({ example: "qst_0000000000001" }),
    item: itemId,
    question: z.string(),
    options: z.array(z.string()).nullable().openapi({ description: "Null where any answer will do." }),
    askedAt: time,
    until: time.nullable().openapi({ description: "When it answers itself." }),
  })
  .openapi("Question");

export function toSchedule({ next, last, ...schedule }: ScheduleState, tellsAll: boolean) {
  return {
    ...schedule,
    next: next?.toISOString() ?? null,
    last: last?.toISOString() ?? null,
    error: tellsAll ? schedule.error : null,
  };
}

export function toFinder({ lastRun, nextRun, ...finder }: FinderState, tellsAll: boolean) {
  return {
    ...finder,
    lastRun: lastRun?.toISOString() ?? null,
    nextRun: nextRun.toISOString(),
    after: tellsAll ? finder.after : null,
    error: tellsAll ? finder.error : null,
  };
}

export function toQuestion({ askedAt, until, options, ...asked }: OpenQuestion) {
  return {
    ...asked,
    options: options === null ? null : [...options],
    askedAt: askedAt.toISOString(),
    until: until?.toISOString() ?? null,
  };
}
