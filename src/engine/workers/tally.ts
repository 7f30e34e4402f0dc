// Adds up the journal for figures and estimates: how many, how long. A duty: one process at a time, never on the way of an
// item, and small enough to be late without harm.

import type { Queryable } from "../db/database.ts";
import { lengthOf, sizeClass, UNKNOWN_SIZE } from "../explain/lengths.ts";
import { type StayedRow, stayedOf } from "../read/stays.sql.ts";
import type { Registry } from "./registry.ts";
import {
  addTally,
  forgetFigures,
  type LeftRow,
  readForTally,
  restartTally,
  type StaySum,
  tallyPlace,
} from "./tally.sql.ts";
import type { TookRow, TrendSum } from "./tally-trends.sql.ts";

const ROWS_AT_ONCE = 5_000;
/** What is left after so many goes into the next turn: the duty may be late, but never long at work. */
const BATCHES_MOST = 20;
/** Of a full batch so many stays are looked up. */
const STAYS_AT_ONCE = 100;

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
    const piece = await readForTally(db, from, { rowsMost: ROWS_AT_ONCE, staysMost: STAYS_AT_ONCE, sized });
    if (piece === undefined) break;
    const stays = addUp(piece.left, await stayedOf(db, piece.left), sizeOf);
    // Somebody else at it: then it is being done.
    if (!(await addTally(db, from, piece, stays, [...piece.trends, ...tookUp(piece.took)]))) break;
    done += piece.rows;
    if (piece.rows < ROWS_AT_ONCE) break;
  }
  await forgetFigures(db);
  return done;
}

/** Pure. How often each length was seen, by stage, day and size. */
export function addUp(left: readonly LeftRow[], lengths: readonly StayedRow[], sizeOf: SizeOf): StaySum[] {
  const stays = new Map<string, StaySum>();
  for (const [index, { pipeline, stage, at, input }] of left.entries()) {
    const { stayed = null, worked = null } = lengths[index] ?? {};
    if (stayed === null || worked === null) continue;
    const day = new Date(at).toISOString().slice(0, 10);
    const place = { pipeline, stage, day, size: sizeOf(pipeline, input) };
    stayOf(stays, place, lengthOf(stayed)).stayed += 1;
    // A process's clock and the database's may differ; no work is longer than the stay.
    stayOf(stays, place, lengthOf(Math.min(worked, stayed))).worked += 1;
  }
  return [...stays.values()];
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

/** Pure. How long items took, as counts by length. */
export function tookUp(took: readonly TookRow[]): TrendSum[] {
  return took.map(({ pipeline, at, ms, times }) => ({
    ...{ kind: "took" as const, pipeline, name: "", at, length: lengthOf(ms), times },
  }));
}
