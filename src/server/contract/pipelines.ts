// Pipelines on the wire: their versions and stages, how those fare, and what holds them.

import { z } from "@hono/zod-openapi";
import type { StageFigures, VersionState } from "../../engine/index.ts";
import { text, time } from "./common.ts";

const became = z.object({ visits: z.int(), passed: z.int(), faults: z.int(), failed: z.int() });
const lengths = z.object({ p50Ms: z.number(), p90Ms: z.number(), samples: z.int() }).nullable();
const flow = z.enum(["on", "closing", "off"]).openapi({
  description: "`closing`: off, but some worker does not know yet, and may still begin something.",
});

const stage = z.object({
  name: z.string(),
  switch: flow,
  queued: z.int(),
  running: z.int(),
  waiting: z.int(),
  needsYou: z.int(),
  isMore: z.boolean().openapi({ description: "A count stopped at 10,000." }),
  lastHour: became,
  lastDay: became,
  stay: lengths,
  work: lengths,
});

export const valve = z
  .object({
    kind: z.enum(["hold", "version-hold", "switch"]),
    pipeline: z.string().nullable().openapi({ description: "Null for all." }),
    version: z.int().nullable(),
    stage: z.string().nullable(),
    state: flow,
    since: time,
    note: z.string().nullable(),
  })
  .openapi("Valve");

export const pipeline = z
  .object({
    name: z.string(),
    versions: z.array(
      z.object({
        version: z.int(),
        share: z.number().nullable().openapi({ description: "Percent of new requests; null without a rollout." }),
        workers: z.int(),
        stages: z.array(stage),
      }),
    ),
    closed: z.array(valve).openapi({ description: "What holds all or some of it now." }),
  })
  .openapi("Pipeline");

const version = z.int().positive().max(1_000_000);
const note = text.max(500).optional().openapi({ description: "Why; shown to everybody whose items wait for it." });

export const scope = z.strictObject({
  pipeline: text.optional(),
  version: version.optional(),
  stage: text.optional(),
});
export const heldScope = scope.extend({ note });
export const switched = z.strictObject({
  pipeline: text,
  stage: text,
  on: z.boolean(),
  version: version.optional(),
  note,
});

export interface ValveFacts {
  readonly kind: string;
  readonly pipeline: string | null;
  readonly version: number | null;
  readonly stage: string | null;
  readonly closed: boolean;
  readonly changed_at: Date;
  readonly note: string | null;
  readonly is_closing: boolean;
}

/** Breakers are told with their services. */
const KINDS: { readonly [kind: string]: "hold" | "version-hold" | "switch" } = {
  pause: "hold",
  hold: "version-hold",
  switch: "switch",
};

export function toValves(rows: readonly ValveFacts[]) {
  return rows.flatMap((row) => {
    const kind = KINDS[row.kind];
    if (kind === undefined || !row.closed) return [];
    const { pipeline, version, stage, note } = row;
    const state: "closing" | "off" = row.is_closing ? "closing" : "off";
    return [{ kind, pipeline, version, stage, state, since: row.changed_at.toISOString(), note }];
  });
}

type Valve = ReturnType<typeof toValves>[number];

export function toPipelines(
  figures: readonly StageFigures[],
  versions: ReadonlyMap<string, readonly VersionState[]>,
  valves: readonly Valve[],
) {
  return [...Map.groupBy(figures, (one) => one.pipeline)].map(([name, stages]) => ({
    name,
    versions: (versions.get(name) ?? []).map(({ version, share, workers }) => ({
      version,
      share,
      workers,
      stages: stages.filter((one) => one.version === version).map((one) => toStage(one, valves)),
    })),
    closed: valves.filter((one) => one.pipeline === null || one.pipeline === name),
  }));
}

function toStage({ pipeline, version, stage: name, ...figures }: StageFigures, valves: readonly Valve[]) {
  const off = valves.filter(
    (one) =>
      one.kind === "switch" && one.pipeline === pipeline && one.stage === name && (one.version ?? version) === version,
  );
  const flows = off.map((one) => one.state);
  const state: "on" | "closing" | "off" = flows.includes("off") ? "off" : (flows[0] ?? "on");
  return { name, switch: state, ...figures };
}
