// What happened to an item, what its visits noted, and when it will be done.

import { z } from "@hono/zod-openapi";
import { type Estimate, type HistoryPage, placeAfter, type VisitNotes } from "../../engine/index.ts";
import { itemId, time } from "./common.ts";

export const historyPage = z
  .object({
    entries: z.array(
      z.object({
        type: z.string().openapi({ example: "item.fault" }),
        outcome: z.string(),
        began: time.nullable(),
        ended: time,
        tookMs: z.int().nullable(),
        from: z.string().nullable(),
        to: z.string().nullable(),
        end: z.string().nullable(),
        attempt: z.int().nullable(),
        series: z.int().nullable(),
        reason: z.string().nullable(),
        code: z.string().nullable(),
        message: z.string().nullable(),
        worker: z.string().nullable(),
        output: z.unknown(),
      }),
    ),
    next: z.string().nullable(),
    isThinned: z.boolean().openapi({ description: "Some of it is older than what is kept whole." }),
  })
  .openapi("History");

export function toHistory({ entries, next, isThinned }: HistoryPage) {
  return {
    entries: entries.map(({ began, ended, worker, ...entry }) => ({
      ...entry,
      began: began?.toISOString() ?? null,
      ended: ended.toISOString(),
      worker: worker?.name ?? null,
    })),
    next,
    isThinned,
  };
}

export const visitNotes = z
  .object({
    visit: z.int().openapi({ description: "Later visits of the item have higher numbers." }),
    stage: z.string(),
    attempt: z.int(),
    at: time.openapi({
      description: "When the newest of it was stored: while the visit runs, or with what it came to.",
    }),
    dropped: z.int().openapi({ description: "Older lines that made room for these." }),
    lines: z.array(
      z.object({
        n: z.int().openapi({ description: "Its number among all lines of the visit, from 1; it keeps it." }),
        at: time.openapi({ description: "When it was noted." }),
        ms: z.number().openapi({ description: "The same, since the visit began." }),
        level: z.enum(["info", "warn", "error"]),
        text: z.string(),
        facts: z.unknown().optional(),
      }),
    ),
  })
  .openapi("VisitNotes");

export const notesPage = z
  .object({
    visits: z.array(visitNotes),
    next: z
      .string()
      .nullable()
      .openapi({ description: "Given as `after`, only what is newer is told; null before anything was noted." }),
  })
  .openapi("NotesPage");

export function toNotesPage(visits: readonly VisitNotes[], after: string | undefined) {
  return { visits: visits.map(toNotes), next: placeAfter(visits) ?? after ?? null };
}

function toNotes({ at, lines, ...visit }: VisitNotes) {
  return { ...visit, at: at.toISOString(), lines: lines.map((line) => ({ ...line, at: line.at.toISOString() })) };
}

export const estimate = z
  .discriminatedUnion("isKnown", [
    z.object({
      isKnown: z.literal(true),
      likely: time.openapi({ description: "Half of those before it were done by then." }),
      late: time.openapi({ description: "Nine of ten were." }),
      likelyMs: z.number(),
      lateMs: z.number(),
      samples: z.int(),
      sentence: z.string(),
    }),
    z.object({
      isKnown: z.literal(false),
      because: z.string(),
      stage: z.string().nullable(),
      item: itemId.nullable(),
      sentence: z.string(),
    }),
  ])
  .openapi("Estimate");

export function toEstimate(told: Estimate) {
  return told.isKnown ? { ...told, likely: told.likely.toISOString(), late: told.late.toISOString() } : told;
}
