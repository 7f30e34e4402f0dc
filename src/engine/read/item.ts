// One item, read for people and programs. Never for decisions: it is true at the moment it was read.

import { formatId, type ItemId, parseId, type RequestId, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type ItemState, itemState, type StageFacts, type StageLookup, statusWord } from "../explain/state.ts";
import { progressOf } from "../intake/rollup.ts";
import { type EndState, endStateName } from "../items/codes.ts";
import { findItem, findOutputs, type ItemRow, type OutputRow } from "./item.sql.ts";
import { findItemParts, type ItemPartRow } from "./parts.sql.ts";
import { type PartView, toPartView } from "./parts.ts";

export interface ItemView {
  readonly id: ItemId;
  readonly request: RequestId;
  readonly pipeline: string;
  /** Of the pipeline. */
  readonly version: number;
  readonly stage: string;
  readonly state: ItemState;
  /** The pipeline's public word for it. */
  readonly status: string;
  /** Why it waits, where it does so by its own doing. `explainItem` knows the other reasons too. */
  readonly reason: string | null;
  readonly since: Date;
  /** When its wait ends by itself, where it does. */
  readonly until: Date | null;
  readonly attempts: { readonly used: number; readonly max: number | null };
  readonly series: number;
  /** Of the whole pipeline and of its stage, in percent. */
  readonly progress: number;
  readonly stageProgress: number | null;
  readonly priority: number;
  readonly owner: string | null;
  readonly key: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Why it failed, or who cancelled it. */
  readonly code: string | null;
  readonly message: string | null;
  /** The name of the part it is, where it is one; `input` is that part's element then. */
  readonly part: string | null;
  readonly input: unknown;
  /** By stage. */
  readonly outputs: { readonly [stage: string]: unknown };
  /** Of each stage that works in parts, those it made last. */
  readonly parts: readonly PartView[];
}

/** Another's is not there, where an owner is named. */
export async function readItem(db: Queryable, stagesOf: StageLookup, item: string, owner?: string): Promise<ItemView> {
  const id = parseId("item", item, "item");
  const row = await findItem(db, id, owner);
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no item ${item}`, { field: "item" });
  const stages = stagesOf({ name: row.pipeline, version: row.pipeline_version });
  return toView(row, await findOutputs(db, id), await findItemParts(db, id), stages);
}

function toView(
  row: ItemRow,
  outputs: readonly OutputRow[],
  parts: readonly ItemPartRow[],
  stages: readonly StageFacts[] | undefined,
): ItemView {
  const end = endStateName(row.state) ?? null;
  const index = row.run_stage ?? row.last_stage ?? 0;
  const run = row.run_state === null ? null : { state: row.run_state, reason: row.reason, isDue: row.is_due };
  const state = itemState(end, run);
  const isWaiting = state === "waiting" || state === "needs-you";
  return {
    id: formatId("item", row.id),
    request: formatId("request", row.request_id),
    pipeline: row.pipeline,
    version: row.pipeline_version,
    stage: row.stages[index] ?? "",
    state,
    status: statusWord(end, { stage: index, hasBegun: row.begun_at !== null }, stages?.[index]?.words),
    reason: isWaiting ? row.reason : null,
    since: row.since ?? row.finished_at ?? row.created_at,
    until: isWaiting ? row.ready_at : null,
    attempts: { used: row.attempts ?? row.last_attempt ?? 0, max: stages?.[index]?.attemptsMax ?? null },
    series: row.series ?? row.last_series ?? 1,
    progress: itemProgress(stages ?? evenStages(row.stages), end, index, row.progress),
    stageProgress: row.progress,
    priority: row.priority,
    owner: row.owner,
    key: row.key,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    code: row.code,
    message: row.message,
    part: row.part,
    input: row.input,
    outputs: Object.fromEntries(
      outputs.flatMap(({ stage, output }) => {
        const name = stage === null ? undefined : row.stages[stage];
        return name === undefined ? [] : [[name, output]];
      }),
    ),
    parts: parts.map((part) => toPartView(part, row.stages)),
  };
}

/** Without the pipeline's code every stage counts the same. */
export function evenStages(names: readonly string[]): readonly { readonly weight: number }[] {
  return names.map(() => ({ weight: 1 }));
}

/** An item that failed keeps the progress of the stages it had passed. */
function itemProgress(
  stages: readonly { readonly weight: number }[],
  end: EndState | null,
  stage: number,
  percent: number | null,
): number {
  return end === "done" ? 100 : progressOf(stages, stage, percent ?? 0);
}
