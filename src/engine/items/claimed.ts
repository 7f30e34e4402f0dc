// What a claim answers with: a row for each item that was taken. What few of them have travels apart, as one value that is mostly
// missing: reading twenty-five columns took longer on our side than writing what came of the visit. Pure.

/** An item as it was claimed. */
export interface ClaimedRow extends ClaimedFirst, OfRun, OfItem {}

interface ClaimedFirst {
  readonly id: string;
  readonly request_id: string;
  readonly version: number;
  readonly lane: number;
  readonly stage: number;
  readonly priority: number;
  readonly ready: number;
  readonly nonce: string;
  readonly owner: string | null;
  readonly codec: number;
  readonly input: unknown;
}

interface OfRun {
  readonly attempts: number;
  readonly series: number;
  readonly backs: number;
  readonly waits: number;
  readonly suspicion: number;
  readonly crashes: number;
  readonly flags: number;
  readonly reason: string | null;
  /** What it was started as outside, where it was. */
  readonly ref: string | null;
  /** A person let it through what holds its lane. */
  readonly is_manual: boolean | null;
  /** Its key, where turns are taken. */
  readonly fair: string | null;
}

interface OfItem {
  readonly fairness: string | null;
  /** The name of the part it is, where it is one; its input is that part's element then. */
  readonly part: string | null;
  /** The trace it was submitted in. */
  readonly trace: string | null;
}

/** As it comes from the server. */
export interface ClaimedWire extends ClaimedFirst {
  readonly of_run: OfRun | null;
  readonly of_item: OfItem | null;
}

export const FRESH_RUN: OfRun = {
  attempts: 0,
  series: 1,
  backs: 0,
  waits: 0,
  suspicion: 0,
  crashes: 0,
  flags: 0,
  reason: null,
  ref: null,
  is_manual: null,
  fair: null,
};

export const PLAIN_ITEM: OfItem = { fairness: null, part: null, trace: null };

export function toClaimed(wire: ClaimedWire): ClaimedRow {
  const run = wire.of_run ?? FRESH_RUN;
  const item = wire.of_item ?? PLAIN_ITEM;
  return {
    id: wire.id,
    request_id: wire.request_id,
    version: wire.version,
    lane: wire.lane,
    stage: wire.stage,
    priority: wire.priority,
    attempts: run.attempts,
    series: run.series,
    backs: run.backs,
    waits: run.waits,
    suspicion: run.suspicion,
    crashes: run.crashes,
    flags: run.flags,
    reason: run.reason,
    ref: run.ref,
    is_manual: run.is_manual,
    fair: run.fair,
    ready: wire.ready,
    nonce: wire.nonce,
    owner: wire.owner,
    fairness: item.fairness,
    codec: wire.codec,
    input: wire.input,
    part: item.part,
    trace: item.trace,
  };
}
