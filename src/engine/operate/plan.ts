// Whether an action may be done to an item, and what it comes to. Pure: facts in, a change or the reason against it out.
//
//   action        queued, waiting   leased     watched    done       failed     cancelled
//   cancel        ends it           ends it    ends it    –          –          –
//   retry         –                 –          –          –          new series –
//   replay same   from that stage   the same   the same   reopened   reopened   reopened
//   replay copy   a new item        the same   the same   the same   the same   the same
//   skip          next stage, end   –          –          –          –          –
//   take back     –                 queued     –          –          –          –
//   set priority  yes               yes        yes        –          –          –
//   run once      past what holds   –          –          –          –          –

import { ITEM_STATE, RUN_STATE } from "../items/codes.ts";
import { KEY_TAKEN } from "../items/key-taken.sql.ts";
import type { ItemFacts, TargetPipeline } from "./facts.sql.ts";

export type Action =
  | { readonly type: "cancel" }
  | { readonly type: "retry" }
  | { readonly type: "replay"; readonly from: string; readonly as: "same" | "copy"; readonly onto?: number | undefined }
  | { readonly type: "skip"; readonly reason: string; readonly stage?: string | undefined }
  | { readonly type: "take-back" }
  | { readonly type: "set-priority"; readonly priority: number }
  | { readonly type: "run-once" };

export type ActionType = Action["type"];

/** What would be done, in a form that a write takes as it is. */
export type Change =
  | { readonly type: "end"; readonly as: "cancelled" | "done" }
  /** What has ended lives again, in a new series. */
  | { readonly type: "reopen"; readonly stage: number; readonly pipeline: number }
  /** What lives goes to another stage, or begins its own anew. */
  | { readonly type: "move"; readonly stage: number; readonly series: number; readonly pipeline: number }
  | { readonly type: "copy"; readonly stage: number; readonly target: TargetPipeline }
  /** A failed part, judged together with its item. */
  | { readonly type: "reopen-part" }
  | { readonly type: "take-back" }
  | { readonly type: "set-priority"; readonly priority: number }
  /** Its lane stays closed for all others. */
  | { readonly type: "let-through" };

export type Plan = { readonly refusal: string } | { readonly change: Change };

/** An action as it is done and stored: by anybody, or by one of those who asked for the item, who may do less. */
export type Ordered = Action & {
  /** By whom of its owners: not what would take from others what they asked for too, and not past a pause or a hold. */
  readonly asOwner?: string | undefined;
};

export function ordered(action: Action, asOwner: string | undefined): Ordered {
  return asOwner === undefined ? action : { ...action, asOwner };
}

/** `targets` are the versions that replays go onto, by the name of their pipeline. */
export function plan(action: Ordered, facts: ItemFacts, targets: ReadonlyMap<string, TargetPipeline>): Plan {
  const { asOwner } = action;
  if (asOwner !== undefined) {
    const takesAway = action.type === "cancel" || action.type === "skip";
    if (takesAway && facts.owners.some((owner) => owner !== asOwner)) return refuse(SHARED);
    if (action.type === "run-once" && facts.barrier?.is_paused) return refuse(PAUSED);
  }
  switch (action.type) {
    case "cancel":
      return isOver(facts) ? refuse("it has ended already") : { change: { type: "end", as: "cancelled" } };
    case "retry":
      return planRetry(facts);
    case "replay":
      return planReplay(action, facts, targets.get(facts.pipeline));
    case "skip":
      return planSkip(action, facts);
    case "take-back":
      if (isOver(facts)) return refuse("it has ended already");
      if (facts.run_state !== RUN_STATE.leased) return refuse("no worker holds it");
      return { change: { type: "take-back" } };
    case "set-priority":
      if (isOver(facts)) return refuse("it has ended already");
      if (facts.priority === action.priority) return refuse(`its priority is ${action.priority} already`);
      return { change: { type: "set-priority", priority: action.priority } };
    case "run-once":
      return planRunOnce(facts);
  }
}

function planRetry(facts: ItemFacts): Plan {
  const isFailed = facts.item_state === ITEM_STATE.failed;
  if (facts.part !== null) return isFailed ? { change: { type: "reopen-part" } } : refuse(NO_FAILED_PART);
  if (!isFailed) return refuse("only a failed item can be retried");
  if (facts.key_taken) return refuse(KEY_TAKEN);
  return { change: { type: "reopen", stage: facts.stage, pipeline: facts.pipeline_id } };
}

function planReplay(
  action: Extract<Action, { type: "replay" }>,
  facts: ItemFacts,
  onto: TargetPipeline | undefined,
): Plan {
  const { pipeline, pipeline_version, stages } = facts;
  if (facts.part !== null) return refuse("a part is not replayed by itself; replay its item");
  const stage = stages.indexOf(action.from);
  if (stage < 0) return refuse(`${pipeline}@${pipeline_version} has no stage "${action.from}"`);
  // A completed item has passed all stages, also those after the one it ended with.
  if (facts.item_state !== ITEM_STATE.done && stage > facts.stage)
    return refuse(`it has not come to "${action.from}" yet`);
  if (action.onto !== undefined) {
    if (onto === undefined) return refuse(`there is no ${pipeline}@${action.onto}`);
    const isAlike = stages.slice(0, stage + 1).every((name, index) => onto.stages[index] === name);
    if (!isAlike) return refuse(`${pipeline}@${action.onto} has other stages up to "${action.from}"`);
  }
  const target = onto ?? { id: facts.pipeline_id, name: pipeline, version: pipeline_version, stages };
  if (action.as === "copy") return { change: { type: "copy", stage, target } };
  if (facts.awaits_own) return refuse("it waits for what it has spawned; cancel it first, then replay it");
  if (facts.has_live_parts) return refuse("parts of it are being tried again; wait for them, or cancel them");
  const change = { stage, pipeline: target.id };
  if (isOver(facts)) return facts.key_taken ? refuse(KEY_TAKEN) : { change: { type: "reopen", ...change } };
  const isThere = facts.stage === stage && target.id === facts.pipeline_id && facts.is_fresh;
  if (isThere) return refuse(`it has not begun "${action.from}" yet`);
  return { change: { type: "move", ...change, series: facts.series + 1 } };
}

function planSkip(action: Extract<Action, { type: "skip" }>, facts: ItemFacts): Plan {
  const { stage, stages, series, pipeline_id } = facts;
  if (isOver(facts)) return refuse("it has ended already");
  if (action.stage !== undefined && stages[stage] !== action.stage) return refuse(`it is not in "${action.stage}"`);
  if (facts.run_state === RUN_STATE.leased) return refuse("a worker is busy with it; take it back first");
  if (facts.run_state === RUN_STATE.watched) return refuse("its work goes on outside; cancel or replay it");
  if (facts.awaits_own) return refuse("it waits for what it has spawned; skip or cancel that");
  if (facts.part !== null || stage === stages.length - 1) return { change: { type: "end", as: "done" } };
  return { change: { type: "move", stage: stage + 1, series, pipeline: pipeline_id } };
}

const SHARED = "others asked for it too; leave it by cancelling the request, or have an admin do this";
const PAUSED = "a pause or a hold keeps it, and only an admin may let it past that";

/** Of a part among many items. */
export const PART_BY_ITSELF = "a part is retried by itself, or with its item";
export const NO_FAILED_PART = "only a failed part can be retried";
export const NOT_HELD = "no switch, pause or hold keeps it";

/** Past switch, pause and hold. A breaker is passed by nobody: a service that does not answer would not answer this item either. */
function planRunOnce(facts: ItemFacts): Plan {
  const { barrier } = facts;
  if (isOver(facts)) return refuse("it has ended already");
  if (barrier === undefined || !barrier.is_queued) return refuse(NOT_HELD);
  if (barrier.broken !== null)
    return refuse(`service ${barrier.broken} does not answer, and its breaker lets only a probe through`);
  if (!barrier.is_held) return refuse(NOT_HELD);
  return barrier.is_manual ? refuse("it was let through already") : { change: { type: "let-through" } };
}

function isOver(facts: ItemFacts): boolean {
  return facts.item_state !== ITEM_STATE.live;
}

function refuse(refusal: string): Plan {
  return { refusal };
}

/** What a dry run tells: where it would stand, and what of its work is kept and done again. */
export interface Would {
  /** How many would be changed: one, or those of a request. */
  readonly items: number;
  readonly stage: string | null;
  readonly keeps: readonly string[];
  readonly redoes: readonly string[];
}

export function wouldDo(facts: ItemFacts, change: Change): Would {
  const at = (stages: readonly string[], stage: number, hasRun: number): Would => ({
    items: 1,
    stage: stages[stage] ?? null,
    keeps: stages.slice(0, stage),
    redoes: stages.slice(stage, Math.max(stage - 1, hasRun) + 1),
  });
  const { stages, stage } = facts;
  switch (change.type) {
    case "end":
      return { items: 1, stage: null, keeps: stages.slice(0, stage), redoes: [] };
    case "copy":
      return at(change.target.stages, change.stage, change.target.stages.length - 1);
    case "reopen":
    case "move":
      return at(stages, change.stage, change.stage > stage ? -1 : reached(facts));
    case "reopen-part":
    case "take-back":
    case "set-priority":
    case "let-through":
      return at(stages, stage, -1);
  }
}

function reached(facts: ItemFacts): number {
  return facts.item_state === ITEM_STATE.done ? facts.stages.length - 1 : facts.stage;
}
