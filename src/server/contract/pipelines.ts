// Pipelines on the wire: their versions and stages, how those fare, and what holds them.

import { z } from "@hono/zod-openapi";
import type { StageFigures, StageLimits, VersionState } from "../../engine/index.ts";
import { text, time } from "./common.ts";

const became = z.object({ visits: z.int(), passed: z.int(), faults: z.int(), failed: z.int() });
const lengths = z.object({ p50Ms: z.number(), p90Ms: z.number(), samples: z.int() }).nullable();
const flow = z.enum(["on", "closing", "off"]).openapi({
  description: "`closing`: off, but some worker does not know yet, and may still begin something.",
});

const rate = z.object({ count: z.int(), perMs: z.int() }).nullable();
const limits = z.object({
  lanes: z
    .array(
      z.object({
        inside: z.int().openapi({ description: "Being visited, or going on outside; counted up to 10,000." }),
        cap: z.int().nullable().openapi({ description: "How many at a time; null for as many as workers take." }),
        perKey: z.int().nullable().openapi({ description: "How many of one fairness key at a time." }),
        service: z
          .object({ name: z.string(), inside: z.int(), capacity: z.int().nullable(), limit: rate })
          .nullable()
          .openapi({ description: "Whom its work goes through, and how much of everybody's does." }),
      }),
    )
    .openapi({ description: "The stage by itself, and with each of its services: each has places of its own." }),
  code: z
    .object({
      attempts: z.int().openapi({ description: "How many counted faults end an item there." }),
      timeoutMs: z.number().openapi({ description: "How long one visit may take." }),
      stall: z
        .object({ neverMs: z.number(), stoppedMs: z.number() })
        .nullable()
        .openapi({ description: "Of work outside: how long nothing may move, at its beginning and later." }),
    })
    .nullable()
    .openapi({ description: "What its code says; null where this server was started without that version's." }),
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
  limits,
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
        deadlineMs: z.number().nullable().openapi({
          description:
            "How long an item may take in all; null for as long as it takes, and where the code is not known.",
        }),
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
  limits: readonly StageLimits[],
) {
  return [...Map.groupBy(figures, (one) => one.pipeline)].map(([name, stages]) => ({
    name,
    versions: (versions.get(name) ?? []).map(({ version, share, workers }) => ({
      version,
      share,
      workers,
      deadlineMs: limits.find((one) => one.pipeline === name && one.version === version)?.code?.deadlineMs ?? null,
      stages: stages
        .filter((one) => one.version === version)
        .map((one) => ({ ...toStage(one, valves), limits: toLimits(one, limits) })),
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

function toLimits({ pipeline, version, stage: name }: StageFigures, all: readonly StageLimits[]) {
  const own = all.find((one) => one.pipeline === pipeline && one.version === version && one.stage === name);
  const { lanes = [], code = null } = own ?? {};
  if (code === null) return { lanes: [...lanes], code };
  const { attempts, timeoutMs, stall } = code;
  return { lanes: [...lanes], code: { attempts, timeoutMs, stall } };
}
