// An item in this process's hands: what was claimed, what it brings along, and how to stop its visit.

import { formatId } from "../../kit/index.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { endStateName, JOURNAL_KIND } from "../items/codes.ts";
import type { CheckpointRow, ChildRow, ContextRow } from "../items/context.sql.ts";
import type { Fence } from "../items/lease.sql.ts";
import type { PartRow } from "../items/parts.sql.ts";
import type { Ended } from "../pipeline/outside.ts";
import type { Because, ChildResult } from "../pipeline/stage.ts";
import { HeldOutputs } from "./held-outputs.ts";
import { type HeldParts, outputsBefore, type Parent, partsOf } from "./held-parts.ts";
import { Interrupt } from "./interrupt.ts";
import type { Place } from "./registry.ts";
import type { Pass } from "./valves.ts";
import type { VisitLog } from "./visit-log.ts";

export interface Held {
  readonly row: ClaimedRow;
  place: Place;
  /** The fence: rises with every settlement that leaves the item here. */
  version: number;
  attempts: number;
  series: number;
  backs: number;
  waits: number;
  reason: string | null;
  /** How many stages it was handed on in a row without queueing. */
  hops: number;
  readonly outputs: HeldOutputs;
  because: Because;
  checkpoint: unknown;
  /** What it was started as outside is known, and its end was seen. */
  finishing: boolean;
  /** An intent of this series stood there before: somebody may have started it. */
  mayHaveStarted: boolean;
  /** Of a part: the item it belongs to. */
  parent: Parent | undefined;
  /** The parts that were made for it, in this stage and this series. */
  parts: HeldParts | undefined;
  /** Stops its visit: it is no longer ours. */
  readonly abort: Interrupt;
  /** What the visit noted; undefined while it said nothing. */
  log: VisitLog | undefined;
  beganAt: number;
  /** In this process's hands, and in its newest life here. Kept by `Hands` alone. */
  isInHand: boolean;
  /** Its stage's code is running. */
  isVisited: boolean;
}

export function hold(row: ClaimedRow, place: Place, beganAt: number): Held {
  return {
    row,
    place,
    version: row.version,
    attempts: row.attempts,
    series: row.series,
    backs: row.backs,
    waits: row.waits,
    reason: row.reason,
    hops: 0,
    outputs: new HeldOutputs(),
    because: {},
    checkpoint: undefined,
    finishing: row.ref !== null,
    mayHaveStarted: false,
    parent: undefined,
    parts: undefined,
    abort: new Interrupt(),
    log: undefined,
    beganAt,
    isInHand: false,
    isVisited: false,
  };
}

export const fenceOf = ({ row, version }: Held): Fence => ({ id: row.id, version });

/** Which closed valves it may be visited behind. Handed on to its next stage, it has none any more. */
export function passOf(held: Held, probe: string | undefined): Pass | undefined {
  if (probe !== undefined) return "probe";
  return held.row.is_manual === true && held.hops === 0 ? "manual" : undefined;
}

/** It begins its next stage in the same hands, with what the last one handed on. */
export function handOn(held: Held, next: Place, version: number, output: string | null): void {
  if (output !== null) held.outputs.setStored(held.place.stage.name, output);
  held.place = next;
  held.version = version;
  held.hops += 1;
  held.attempts = 0;
  held.waits = 0;
  held.reason = null;
  held.because = {};
  held.checkpoint = undefined;
  held.finishing = false;
  held.parts = undefined;
  held.log = undefined;
}

export interface Brought {
  readonly context: readonly ContextRow[];
  readonly checkpoints: readonly CheckpointRow[];
  readonly children: readonly ChildRow[];
  readonly parts: readonly PartRow[];
}

/** Lays what was read beside the item it belongs to. Rows come oldest first, so the newest of a kind wins. */
export function unpack(held: Held, brought: Brought): void {
  const { index, pipeline } = held.place;
  let because: Because = {};
  for (const entry of brought.context) {
    if (entry.item_id !== held.row.id) continue;
    const name = entry.stage === null ? undefined : pipeline.stages[entry.stage]?.name;
    // Said to another stage: one that hands on nothing leaves no row here that would tell them apart.
    const isForThis = entry.stage === index;
    switch (entry.kind) {
      case JOURNAL_KIND.done:
      case JOURNAL_KIND.skip:
        if (name !== undefined) held.outputs.set(name, entry.output);
        // It entered another stage: what the former one was told is over.
        because = {};
        break;
      case JOURNAL_KIND.back:
      case JOURNAL_KIND.replayed:
        because = entry.kind === JOURNAL_KIND.back && entry.to_stage === index ? { note: entry.output } : {};
        // They will be done again. Left here, one that then skips without an output would seem to have handed on the old.
        for (const stage of pipeline.stages.slice(entry.to_stage ?? 0)) held.outputs.delete(stage.name);
        break;
      case JOURNAL_KIND.answered:
        if (isForThis) because = { ...because, answer: entry.output };
        break;
      case JOURNAL_KIND.signalled:
        if (isForThis) because = { ...because, signal: entry.output };
        break;
      case JOURNAL_KIND.seen:
        if (isForThis) because = withEnd(because, entry.output as Ended);
        break;
      case JOURNAL_KIND.joined:
        if (isForThis) because = { ...because, children: childrenOf(entry.output, brought.children) };
        if (isForThis && entry.series === held.series) held.parts = partsOf(joinedRequest(entry.output), brought.parts);
        break;
    }
  }
  held.because = because;
  for (const [name, output] of outputsBefore(held, brought.context)) held.outputs.set(name, output);
  held.checkpoint = brought.checkpoints.find((one) => one.run_id === held.row.id && one.stage === index)?.value;
}

/** The request whose items a `joined` row speaks of. */
export function joinedRequest(output: unknown): string | undefined {
  return typeof output === "object" && output !== null && "request" in output ? String(output.request) : undefined;
}

function childrenOf(output: unknown, rows: readonly ChildRow[]): ChildResult[] {
  const request = joinedRequest(output);
  return rows
    .filter((row) => row.request_id === request)
    .map((row) => ({ id: formatId("item", row.id), state: endStateName(row.state) ?? "failed", output: row.output }));
}

function withEnd(because: Because, ended: Ended): Because {
  const stalledAt = because.stalledAt ?? [];
  return { ...because, ended, stalledAt: ended.ending === "stalled" ? [...stalledAt, ended.service] : stalledAt };
}
