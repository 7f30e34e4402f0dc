// Versions of a pipeline side by side, on the wire.

import { z } from "@hono/zod-openapi";
import type { Orphans, VersionFigures, VersionState } from "../../engine/index.ts";
import { text, time } from "./common.ts";

const figures = z.object({
  items: z.int().openapi({ description: "Its newest, of which the rest tells." }),
  from: time.nullable().openapi({ description: "When the oldest of them was handed in." }),
  live: z.int(),
  done: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  failureRate: z.number().nullable().openapi({ description: "Failed, of those that were done or failed; 0 to 1." }),
  retries: z.int().openapi({ description: "Tries beyond the first, of all stages together." }),
  took: z.object({ p50Ms: z.number(), p90Ms: z.number() }).nullable(),
});

export const versionView = z
  .object({
    version: z.int(),
    stages: z.array(z.string()),
    share: z.number().nullable().openapi({ description: "Percent of new requests; null without a rollout." }),
    workers: z.int().openapi({ description: "Live ones that have its code." }),
    held: z.enum(["no", "closing", "held"]).openapi({
      description: "`closing`: held, but some worker does not know yet, and may still begin something.",
    }),
    heldSince: time.nullable(),
    note: z.string().nullable().openapi({ description: "Why it is held." }),
    figures: figures.openapi({ description: "Of everybody's items; to members, of none." }),
    orphans: z
      .array(z.object({ stage: z.string(), items: z.int() }))
      .openapi({ description: "Live items whose code no live worker has: they wait until one comes." }),
  })
  .openapi("Version");

/** More than these are for admins to ask for. */
export const ITEMS_COMPARED = 5_000;

export const versionsQuery = z
  .object({
    items: z.coerce
      .number()
      .int()
      .min(1)
      .max(50_000)
      .default(ITEMS_COMPARED)
      .openapi({ description: "To compare by, of each; more than 5,000 only for admins." }),
  })
  .strict();

const note = text.max(500).optional();

export const rolloutBody = z
  .strictObject({
    shares: z
      .record(z.string().max(10), z.number())
      .openapi({ description: "Percent by version, 100 together.", example: { 1: 90, 2: 10 } }),
    note,
  })
  .openapi("Rollout");

export const heldVersion = z.strictObject({
  note: note.openapi({ description: "Why; shown to everybody whose items wait." }),
});

const NONE: Omit<VersionFigures, "version"> = {
  ...{ items: 0, from: null, live: 0, done: 0, failed: 0, cancelled: 0 },
  ...{ failureRate: null, retries: 0, took: null },
};

export function toVersion(state: VersionState, all: readonly VersionFigures[], orphans: readonly Orphans[]) {
  const { stages, heldSince, ...rest } = state;
  const { version: _, from, took, ...counts } = { version: 0, ...(all.find(isOf(state)) ?? NONE) };
  return {
    ...rest,
    stages: [...stages],
    heldSince: heldSince?.toISOString() ?? null,
    figures: {
      ...counts,
      from: from?.toISOString() ?? null,
      took: took === null ? null : { p50Ms: took.p50, p90Ms: took.p90 },
    },
    orphans: orphans.filter(isOf(state)).map(({ stage, items }) => ({ stage, items })),
  };
}

const isOf =
  ({ version }: VersionState) =>
  (one: { readonly version: number }) =>
    one.version === version;
