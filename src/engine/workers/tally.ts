// Adds up the journal for figures and estimates: how many, how long. A duty: one process at a time, never on the way of an
// item, and small enough to be late without harm.

import type { Queryable } from "../db/database.ts";
import { lengthOf, sizeClass, UNKNOWN_SIZE } from "../explain/lengths.ts";
import { JOURNAL_KIND } from "../items/codes.ts";
import { type Leaving, type StayedRow, stayedOf } from "../read/stays.sql.ts";
import type { Registry } from "./registry.ts";
import {
  addTally,
  type FigureSum,
  forgetFigures,
  readForTally,
  restartTally,
  type StaySum,
  type Sums,
  type TallyRow,
  tallyPlace,
} from "./tally.sql.ts";

const ROWS_AT_ONCE = 2_000;
/** What is left after so many goes into the next turn: the duty may be late, but never long at work. */
const BATCHES_MOST = 50;
/** Of a full batch so many stays are looked up, evenly spread: quantiles need no more, and the look-ups are most of the cost. */
const STAYS_AT_ONCE = 250;
const TEN_MINUTES_MS = 600_000;

/** The class of an item's size; undefined for a pipeline that tells none, or that this process lacks the code of. */
export type SizeOf = (pipelineId: number, input: unknown) => number;

export interface Sizes {
  readonly sized: readonly number[];
  readonly sizeOf: SizeOf;
}

export function sizesOf(registry: Registry): Sizes {
  const sized = registry.pipelineIds().filter((id) => registry.pipelineOf(id)?.size !== undefined);
  const sizeOf: SizeOf = (id, input) => {
    const size = registry.pipelineOf(id)?.size;
    try {
      // The author's types end at the pipeline; what was stored passed its schema.
      return size === undefined ? UNKNOWN_SIZE : sizeClass(size(input as never));
    } catch {
      // An input of an older release, perhaps. A size that cannot be told is not known; nothing else depends on it.
      return UNKNOWN_SIZE;
    }
  };
  return { sized, sizeOf };
}

/** How many rows were added up. */
export async function tally(db: Queryable, { sized, sizeOf }: Sizes): Promise<number> {
  await restartTally(db);
  let done = 0;
  for (let batch = 0; batch < BATCHES_MOST; batch += 1) {
    const from = await tallyPlace(db);
    const rows = await readForTally(db, from, ROWS_AT_ONCE, sized);
    const last = rows.at(-1);
    if (last === undefined) break;
    const sums = addUp(await withStays(db, rows), sizeOf);
    // Somebody else at it: then it is being done.
    if (!(await addTally(db, from, last, sums))) break;
    done += rows.length;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await forgetFigures(db);
  return done;
}

/** A row of the journal, with the stay that it ended. */
export interface Counted extends TallyRow {
  readonly stay: StayedRow | null;
}

async function withStays(db: Queryable, rows: readonly TallyRow[]): Promise<Counted[]> {
  const leaving = new Map<TallyRow, Leaving>();
  for (const row of rows) {
    const { item_id: item, version, stage, at } = row;
    if (item === null || version === null || stage === null || row.is_part || !PASSES.has(row.kind)) continue;
    leaving.set(row, { item, version, stage, at });
  }
  const step = Math.ceil(leaving.size / STAYS_AT_ONCE);
  const looked = [...leaving].filter((_, index) => index % step === 0);
  const stayed = await stayedOf(
    db,
    looked.map(([, one]) => one),
  );
  const stays = new Map(looked.map(([row], index) => [row, stayed[index]]));
  return rows.map((row) => ({ ...row, stay: stays.get(row) ?? null }));
}

/** Pure. Parts are left out: their item's stay in the stage holds theirs. */
export function addUp(rows: readonly Counted[], sizeOf: SizeOf): Sums {
  const figures = new Map<string, FigureSum>();
  const stays = new Map<string, StaySum>();
  for (const row of rows) {
    const { pipeline_id: pipeline, stage, kind } = row;
    if (pipeline === null || stage === null || row.is_part || !VISITS.has(kind)) continue;
    const figure = figureOf(figures, pipeline, stage, row.at);
    figure.visits += 1;
    if (PASSES.has(kind)) figure.passed += 1;
    if (kind === JOURNAL_KIND.fault || kind === JOURNAL_KIND.crashed) figure.faults += 1;
    if (row.ended === FAILED) figure.failed += 1;
    const { stayed = null, worked = null } = row.stay ?? {};
    if (stayed === null || worked === null) continue;
    const size = sizeOf(pipeline, row.input);
    const place = { pipeline, stage, day: row.at.toISOString().slice(0, 10), size };
    stayOf(stays, place, lengthOf(stayed)).stayed += 1;
    // A process's clock and the database's may differ; no work is longer than the stay.
    stayOf(stays, place, lengthOf(Math.min(worked, stayed))).worked += 1;
  }
  return { figures: [...figures.values()], stays: [...stays.values()] };
}

const FAILED = 2;
const PASSES: ReadonlySet<number> = new Set([JOURNAL_KIND.done, JOURNAL_KIND.skip]);
/** Rows that a visit left. */
const VISITS: ReadonlySet<number> = new Set([
  ...[JOURNAL_KIND.done, JOURNAL_KIND.skip, JOURNAL_KIND.again, JOURNAL_KIND.wait, JOURNAL_KIND.back, JOURNAL_KIND.ask],
  ...[JOURNAL_KIND.spawn, JOURNAL_KIND.fault, JOURNAL_KIND.crashed, JOURNAL_KIND.started, JOURNAL_KIND.chosen],
]);

function figureOf(sums: Map<string, FigureSum>, pipeline: number, stage: number, time: Date): FigureSum {
  const at = new Date(Math.floor(time.getTime() / TEN_MINUTES_MS) * TEN_MINUTES_MS);
  const key = `${pipeline} ${stage} ${at.getTime()}`;
  const found = sums.get(key) ?? { pipeline, stage, at, visits: 0, passed: 0, faults: 0, failed: 0 };
  sums.set(key, found);
  return found;
}

function stayOf(
  sums: Map<string, StaySum>,
  place: Pick<StaySum, "pipeline" | "stage" | "day" | "size">,
  length: number,
): StaySum {
  const key = `${place.pipeline} ${place.stage} ${place.day} ${place.size} ${length}`;
  const found = sums.get(key) ?? { ...place, length, stayed: 0, worked: 0 };
  sums.set(key, found);
  return found;
}
