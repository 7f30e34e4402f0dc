// How an item stands, in a line: of a list, and at the head of all that is told of one.

import { formatId, type ItemId, type RequestId } from "../../kit/index.ts";
import type { Explanation } from "../explain/explanation.ts";
import { type ItemState, itemState, type StageFacts, statusWord } from "../explain/state.ts";
import { progressOf } from "../intake/rollup.ts";
import { endStateName, ITEM_STATE, RUN_STATE } from "../items/codes.ts";
import type { ItemLineRow } from "./list-items.sql.ts";

export interface ItemLine {
  readonly id: ItemId;
  readonly request: RequestId;
  readonly pipeline: string;
  /** Of the pipeline. */
  readonly version: number;
  readonly stage: string;
  readonly state: ItemState;
  /** The pipeline's public word for it. */
  readonly status: string;
  /** Why it is not being worked on, as a code; null while it is, and where it has ended. */
  readonly reason: string | null;
  readonly since: Date;
  /** When its wait ends by itself, where it does. */
  readonly until: Date | null;
  /** The same in a sentence, and what can be done about it. */
  readonly wait: Explanation | null;
  readonly attempts: { readonly used: number; readonly max: number | null };
  /** Of the whole pipeline, in percent. */
  readonly progress: number;
  readonly priority: number;
  readonly owner: string | null;
  readonly key: string | null;
  /** What people call it, where its pipeline tells. */
  readonly title: string | null;
  /** The name of the part it is, where it is one; its input is that part's element then. */
  readonly part: string | null;
  /** The item it is a part of. */
  readonly partOf: ItemId | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Why it failed, or who cancelled it; of what lives, its last fault. */
  readonly code: string | null;
  readonly message: string | null;
}

/** Whether an item of such a row stands and waits, by itself or in line. */
export function isWaiting({ end_state, run_state }: Pick<ItemLineRow, "end_state" | "run_state">): boolean {
  return end_state === ITEM_STATE.live && (run_state === null || run_state === RUN_STATE.idle);
}

/** Without the pipeline's code its own words and limits are not known, and every stage counts the same. */
export function toLine(
  row: ItemLineRow,
  stages: readonly StageFacts[] | undefined,
  why: Explanation | undefined,
): ItemLine {
  const end = endStateName(row.end_state) ?? null;
  const index = row.run_stage ?? row.last_stage ?? 0;
  const run = row.run_state === null ? null : { state: row.run_state, reason: row.reason, isDue: row.is_due };
  const state = itemState(end, run);
  const wait = isWaiting(row) ? (why ?? null) : null;
  return {
    id: formatId("item", row.id),
    request: formatId("request", row.request_id),
    pipeline: row.pipeline,
    version: row.pipeline_version,
    stage: row.stages[index] ?? "",
    state,
    status: statusWord(
      end,
      { stage: index, hasBegun: row.has_begun, isBetween: row.run_state === RUN_STATE.idle },
      stages?.[index]?.words,
    ),
    reason: wait?.reason ?? null,
    since: wait?.since ?? row.since ?? row.finished_at ?? row.created_at,
    until: wait?.until ?? null,
    wait,
    attempts: { used: row.attempts ?? row.last_attempt ?? 0, max: stages?.[index]?.attemptsMax ?? null },
    // One that failed keeps the progress of the stages it had passed.
    progress: end === "done" ? 100 : progressOf(stages ?? evenStages(row.stages), index, row.progress ?? 0),
    priority: row.priority,
    owner: row.owner,
    key: row.key,
    title: row.title,
    part: row.part,
    partOf: row.part_of === null ? null : formatId("item", row.part_of),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    code: row.code,
    message: row.message,
  };
}

/** Without the pipeline's code every stage counts the same. */
export function evenStages(names: readonly string[]): readonly { readonly weight: number }[] {
  return names.map(() => ({ weight: 1 }));
}
