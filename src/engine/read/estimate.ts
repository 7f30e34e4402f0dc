// When will it be done? For an item, or for the last of a request's items.

import { formatId, type ItemId, parseId, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import {
  estimate,
  type NoEstimate,
  type Range,
  rangeWords,
  type StageHistory,
  type Unknown,
} from "../explain/estimate.ts";
import { hindranceOf, noEstimateWords } from "../explain/expectation.ts";
import { type FactsRow, findAllFacts, findFacts } from "../explain/explain.sql.ts";
import { explain } from "../explain/explain.ts";
import type { Explanation } from "../explain/explanation.ts";
import { type Facts, toFacts } from "../explain/facts.ts";
import { UNKNOWN_SIZE } from "../explain/lengths.ts";
import type { StageLookup } from "../explain/state.ts";
import { findStays, findWays, lastOfRequest, type StayRow, type WayRow } from "./estimate.sql.ts";
import { findItemParts } from "./parts.sql.ts";
import { findRequest } from "./request.sql.ts";

export type Estimate = KnownEstimate | UnknownEstimate;

export interface KnownEstimate {
  readonly isKnown: true;
  /** Half of those before it were done by then, and nine of ten. */
  readonly likely: Date;
  readonly late: Date;
  readonly likelyMs: number;
  readonly lateMs: number;
  /** How many went before, in the stage that fewest went through. */
  readonly samples: number;
  readonly sentence: string;
}

export interface UnknownEstimate {
  readonly isKnown: false;
  readonly because: NoEstimate;
  /** The stage that is about, where it is about one. */
  readonly stage: string | null;
  /** Of a request: the item that nobody can tell of. */
  readonly item: ItemId | null;
  readonly sentence: string;
}

export interface EstimatePorts {
  readonly db: Queryable;
  readonly stagesOf: StageLookup;
  /** The class of an item's size. */
  readonly sizeOf: (pipelineId: number, input: unknown) => number;
}

export async function estimateItem(ports: EstimatePorts, item: string): Promise<Estimate> {
  const row = await findFacts(ports.db, parseId("item", item, "item"));
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no item ${item}`, { field: "item" });
  return tell(row.now, await rangeOf(ports, parseId("item", item), row), null);
}

/** Of each that is there. Costs the same few statements however many they are, but for those that wait for parts. */
export async function estimateItems(ports: EstimatePorts, items: readonly ItemId[]): Promise<Map<ItemId, Estimate>> {
  const ids = items.map((item) => parseId("item", item, "items"));
  const rows = await findAllFacts(ports.db, ids);
  const past = await pastOf(ports.db, ids);
  const all = new Map<ItemId, Estimate>();
  for (const row of rows)
    all.set(formatId("item", row.id), tell(row.now, await rangeOf(ports, row.id, row, past), null));
  return all;
}

/** What is known of their ways, and of how long others took; the latter read once for each pipeline. */
interface Past {
  way(item: string): WayRow | undefined;
  stays(pipeline: number): Promise<readonly StayRow[]>;
}

async function pastOf(db: Queryable, items: readonly string[]): Promise<Past> {
  const ways = new Map((await findWays(db, items)).map((way) => [way.id, way]));
  const known = new Map<number, Promise<readonly StayRow[]>>();
  return {
    way: (item) => ways.get(item),
    async stays(pipeline) {
      const read = known.get(pipeline) ?? findStays(db, pipeline, 0);
      known.set(pipeline, read);
      return await read;
    },
  };
}

/** Of a large request, so many of those with the longest way to go are looked at. */
const LOOKED_AT = 20;

export async function estimateRequest(ports: EstimatePorts, request: string): Promise<Estimate> {
  const id = parseId("request", request, "request");
  if ((await findRequest(ports.db, id)) === undefined)
    throw new SluiceError("NOT_FOUND", `there is no request ${request}`, { field: "request" });
  let latest: Range | undefined;
  let now: Date | undefined;
  for (const item of await lastOfRequest(ports.db, id, LOOKED_AT)) {
    const row = await findFacts(ports.db, item);
    const range = row === undefined ? undefined : await rangeOf(ports, item, row);
    // One that has ended meanwhile holds nobody up.
    if (row === undefined || range === undefined || ("because" in range && range.because === "ended")) continue;
    if ("because" in range) return tell(row.now, range, formatId("item", item));
    now ??= row.now;
    latest = later(latest, range);
  }
  return latest === undefined || now === undefined
    ? unknown({ because: "ended", stage: null }, null)
    : tell(now, latest, null);
}

function later(a: Range | undefined, b: Range): Range {
  if (a === undefined) return b;
  return {
    likelyMs: Math.max(a.likelyMs, b.likelyMs),
    lateMs: Math.max(a.lateMs, b.lateMs),
    samples: Math.min(a.samples, b.samples),
  };
}

async function rangeOf(ports: EstimatePorts, item: string, row: FactsRow, given?: Past): Promise<Range | Unknown> {
  const facts = toFacts(row, ports.stagesOf({ name: row.pipeline, version: row.pipeline_version }));
  const explanation = explain(facts);
  const because = hindranceOf(facts, explanation.reason) ?? (await hindranceInParts(ports, item, explanation));
  if (because !== null) return { because, stage: facts.stage };
  const past = given ?? (await pastOf(ports.db, [item]));
  const way = past.way(item);
  if (way === undefined) return { because: "ended", stage: null };
  const names = way.is_part ? row.stages.slice(0, way.stage + 1) : row.stages;
  // A part's stay is within its item's, and was never counted alone.
  const stays = way.is_part ? [] : await past.stays(way.pipeline_id);
  const isScheduled = explanation.reason === "scheduled";
  const range = estimate({
    stages: historyOf(names, way.stage, stays),
    size: way.is_part ? UNKNOWN_SIZE : ports.sizeOf(way.pipeline_id, way.input),
    inStageMs: isScheduled ? 0 : (way.in_stage_ms ?? 0),
    pace: paceOf(facts, way.outside_ms),
  });
  return "because" in range ? range : withWait(range, facts, explanation, isScheduled);
}

/** What it waits for by the clock comes first; only a delay it was submitted with is not part of the history. */
function withWait(range: Range, facts: Facts, { until }: Explanation, isScheduled: boolean): Range {
  const waitMs = until === null || facts.outside !== null ? 0 : Math.max(0, until.getTime() - facts.now.getTime());
  const { likelyMs, lateMs } = range;
  return isScheduled
    ? { ...range, likelyMs: likelyMs + waitMs, lateMs: lateMs + waitMs }
    : { ...range, likelyMs: Math.max(likelyMs, waitMs), lateMs: Math.max(lateMs, waitMs) };
}

function paceOf({ outside }: Facts, forMs: number | null) {
  return outside === null || outside.progress === null || forMs === null ? null : { progress: outside.progress, forMs };
}

function historyOf(names: readonly string[], from: number, stays: readonly StayRow[]): StageHistory[] {
  return names.slice(from).map((name, index) => {
    const bySize = new Map<number, Map<number, number>>();
    for (const row of stays) {
      if (row.stage !== from + index) continue;
      const counts = bySize.get(row.size) ?? new Map<number, number>();
      bySize.set(row.size, counts.set(row.length, row.stayed));
    }
    return { name, bySize };
  });
}

const PARTS_ASKED = 10;

/** An item is held up where one of its parts is. */
async function hindranceInParts(
  ports: EstimatePorts,
  item: string,
  { reason }: Explanation,
): Promise<NoEstimate | null> {
  if (reason !== "parts") return null;
  const pending = (await findItemParts(ports.db, item)).filter((part) => part.state === 0).slice(0, PARTS_ASKED);
  for (const part of pending) {
    const row = await findFacts(ports.db, part.id);
    if (row === undefined) continue;
    const facts = toFacts(row, ports.stagesOf({ name: row.pipeline, version: row.pipeline_version }));
    const because = hindranceOf(facts, explain(facts).reason);
    if (because !== null && because !== "ended") return because;
  }
  return null;
}

function tell(now: Date, range: Range | Unknown, item: ItemId | null): Estimate {
  if ("because" in range) return unknown(range, item);
  return {
    isKnown: true,
    likely: new Date(now.getTime() + range.likelyMs),
    late: new Date(now.getTime() + range.lateMs),
    ...range,
    sentence: `Done in ${rangeWords(range)}.`,
  };
}

function unknown({ because, stage }: Unknown, item: ItemId | null): UnknownEstimate {
  return { isKnown: false, because, stage, item, sentence: noEstimateWords(because, stage) };
}
