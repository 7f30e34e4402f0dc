// What moved since the last look among the items that are being worked on: visits that began, and progress. A look costs one
// statement, and a second one where something moved.

import { formatId, type ItemId, type RequestId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { StageLookup } from "../explain/state.ts";
import { progressOf } from "../intake/rollup.ts";
import { evenStages } from "./item-line.ts";
import { type HeldRuns, heldRuns, type LiveRow, liveDetails } from "./live.sql.ts";

export interface LiveItem {
  readonly item: ItemId;
  readonly request: RequestId;
  readonly owner: string | null;
  readonly key: string | null;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  /** A visit of the stage began since the last look; else it only got on. */
  readonly hasBegun: boolean;
  /** Of the whole pipeline, in percent, as an item's line has it. */
  readonly progress: number;
  /** Of the stage, in percent; null where it tells of none. */
  readonly stageProgress: number | null;
  readonly at: Date;
}

/** More than this at once are not watched: nobody looks at so many bars. */
const HELD_MOST = 10_000;
/** What moved beyond that is told by the next looks. */
const TOLD_MOST = 200;

interface Seen {
  readonly version: number;
  readonly progress: number | null;
}

export class LiveItems {
  readonly #db: Queryable;
  readonly #stagesOf: StageLookup;
  #last: Look | undefined;

  constructor(db: Queryable, stagesOf: StageLookup) {
    this.#db = db;
    this.#stagesOf = stagesOf;
  }

  /** The first look tells nothing: how everything stands is in the lists. */
  async changes(): Promise<LiveItem[]> {
    const held = await heldRuns(this.#db, HELD_MOST);
    const { moved, ...look } = compare(this.#last, held, TOLD_MOST);
    const rows = moved.size === 0 ? [] : await liveDetails(this.#db, [...moved.keys()]);
    // Only now: what was not told for a failed read is found again.
    this.#last = look;
    return rows.map((row) => this.#toLive(row, moved.get(row.id) === true));
  }

  #toLive(row: LiveRow, hasBegun: boolean): LiveItem {
    const stages = this.#stagesOf({ name: row.pipeline, version: row.pipeline_version }) ?? evenStages(row.stages);
    return {
      item: formatId("item", row.id),
      request: formatId("request", row.request_id),
      owner: row.owner,
      key: row.key,
      pipeline: row.pipeline,
      version: row.pipeline_version,
      stage: row.stages[row.stage] ?? "",
      hasBegun,
      progress: progressOf(stages, row.stage, row.progress ?? 0),
      stageProgress: row.progress,
      at: row.at,
    };
  }
}

interface Look {
  readonly seen: ReadonlyMap<string, Seen>;
  /** What moved and was not told for being too much, first what has waited longest. */
  readonly left: readonly string[];
}

interface Compared extends Look {
  /** By id: whether its visit began, rather than got on. */
  readonly moved: ReadonlyMap<string, boolean>;
}

/** What is left out stays as it was seen before, and comes first in the next look: else the same ones would be left out each time. */
export function compare(before: Look | undefined, held: HeldRuns, most: number): Compared {
  const seen = new Map<string, Seen>();
  const moved = new Map<string, boolean>();
  for (const [index, id] of held.ids.entries()) {
    const now: Seen = { version: held.versions[index] ?? 0, progress: held.progress[index] ?? null };
    const was = before?.seen.get(id);
    const isNew = was?.version !== now.version;
    const hasBegun = isNew && held.begun[index] === true;
    const hasMoved = hasBegun || (now.progress !== null && (isNew || was.progress !== now.progress));
    if (before !== undefined && hasMoved) moved.set(id, hasBegun);
    seen.set(id, now);
  }
  const waited = new Map(before?.left.map((id, index) => [id, index]));
  const place = (id: string) => waited.get(id) ?? waited.size;
  const inTurn = [...moved].toSorted(([a], [b]) => place(a) - place(b));
  const left = inTurn.slice(most).map(([id]) => id);
  for (const id of left) {
    const was = before?.seen.get(id);
    if (was === undefined) seen.delete(id);
    else seen.set(id, was);
  }
  return { seen, left, moved: new Map(inTurn.slice(0, most)) };
}
