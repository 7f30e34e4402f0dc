// Writing what was planned, for a batch of items and in the caller's transaction. Each write compares the version that the
// plan was made with; an item that is missing in the answer has moved since, and is to be considered again.

import { invariant, type Random } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { JOURNAL_KIND, RUN_FLAG } from "../items/codes.ts";
import { countPartly, lockForEnd, mendPartly } from "../items/parts.sql.ts";
import type { Registry } from "../workers/registry.ts";
import { askReopening } from "./ask-reopening.ts";
import { cancelRuns, skipRuns } from "./cancel.sql.ts";
import { type Copied, copyItem } from "./copy.ts";
import type { ItemFacts } from "./facts.sql.ts";
import { leaveBehind, moveRuns, prioritiseRuns, type RunVersion, takeBackRuns } from "./move.sql.ts";
import type { Action, Change } from "./plan.ts";
import { reopenItems } from "./reopen.sql.ts";
import { letThrough } from "./run-once.sql.ts";

export interface Planned<C extends Change = Change> {
  readonly facts: ItemFacts;
  readonly change: C;
}

/** What came of one item: done, with its copy where one was made; or why it was not, where only the write could tell. */
export type Written = { readonly copy?: Copied; readonly refusal?: string };

export interface WritePorts {
  readonly tx: Queryable;
  readonly actor: string;
  readonly random: Random;
  /** Whose code may have a say. */
  readonly registry: Pick<Registry, "pipelineOf">;
}

export async function writeChanges(
  ports: WritePorts,
  action: Action,
  planned: readonly Planned[],
): Promise<ReadonlyMap<string, Written>> {
  const { tx, actor } = ports;
  const written = new Map<string, Written>();
  const add = (ids: readonly string[]) => {
    for (const id of ids) written.set(id, {});
  };
  const of = <Type extends Change["type"]>(type: Type) =>
    planned.filter((one): one is Planned<Extract<Change, { type: Type }>> => one.change.type === type);
  const words = { action: action.type, actor, output: detailOf(action) };
  // Rows of what lives before requests: everybody locks in this order.
  const moves = of("move");
  if (moves.length > 0) add(await move(tx, moves, action, words));
  const takenBack = of("take-back");
  if (takenBack.length > 0) add(await takeBackRuns(tx, takenBack.map(versionOf), actor));
  const passing = of("let-through");
  if (passing.length > 0) add(await letThrough(tx, passing.map(versionOf), actor));
  if (action.type === "set-priority") {
    const changed = of("set-priority").map(versionOf);
    add(await prioritiseRuns(tx, changed, action.priority, actor));
  }
  const ends = of("end");
  const cancelled = ends.filter(({ change }) => change.as === "cancelled");
  if (cancelled.length > 0) add((await cancelRuns(tx, cancelled.map(versionOf), actor)).map((row) => row.id));
  for (const one of ends.filter(({ change }) => change.as === "done")) {
    if (action.type === "skip" && (await skipLast(tx, one.facts, actor, action.reason))) add([one.facts.id]);
  }
  const ended = of("reopen");
  const refused = await askReopening(tx, ports.registry, ended);
  for (const [id, refusal] of refused) written.set(id, { refusal });
  const reopened = ended.filter(({ facts }) => !refused.has(facts.id));
  if (reopened.length > 0) add(await reopen(tx, reopened, action, words));
  for (const { facts, change } of of("copy")) {
    const copy = await copyItem(tx, facts, change, actor, ports.random);
    written.set(facts.id, copy === undefined ? { refusal: "a copy of it from there is on its way already" } : { copy });
  }
  return written;
}

type Words = { readonly action: string; readonly actor: string; readonly output: string | null };

async function move(
  tx: Queryable,
  moves: readonly Planned<Extract<Change, { type: "move" }>>[],
  action: Action,
  words: Words,
): Promise<string[]> {
  const runs = moves.map(({ facts, change }) => ({
    ...versionOf({ facts }),
    was: facts.stage,
    stage: change.stage,
    series: change.series,
    pipeline: change.pipeline,
  }));
  const isSkip = action.type === "skip";
  const kind = isSkip ? JOURNAL_KIND.skip : JOURNAL_KIND.replayed;
  const message = isSkip ? action.reason : words.actor;
  const moved = await moveRuns(tx, runs, { ...words, kind, message });
  if (moved.length > 0) await leaveBehind(tx, moved);
  return moved;
}

async function reopen(
  tx: Queryable,
  reopened: readonly Planned<Extract<Change, { type: "reopen" }>>[],
  action: Action,
  words: Words,
): Promise<string[]> {
  const items = reopened.map(({ facts, change }) => reopeningOf(facts, change));
  const kind = action.type === "retry" ? JOURNAL_KIND.retried : JOURNAL_KIND.replayed;
  return await reopenItems(tx, items, { ...words, kind });
}

export function reopeningOf(facts: ItemFacts, change: { readonly stage: number; readonly pipeline: number }) {
  const { id, request_id, end_version, item_state, stage, series } = facts;
  const was = { version: end_version, ended: item_state, was: stage, series };
  return { id, request_id, ...was, stage: change.stage, pipeline: change.pipeline };
}

/** Its end is the end of the item, or of one part; both may change how many items count as done only partly. */
async function skipLast(tx: Queryable, facts: ItemFacts, actor: string, reason: string): Promise<boolean> {
  const { id, request_id, parent_request, part, flags, series } = facts;
  const mends = part !== null && parent_request !== null && series > 1;
  const counts = part === null && (flags & RUN_FLAG.hasParts) !== 0;
  if (mends) await lockForEnd(tx, id, [parent_request, request_id]);
  if (counts) await lockForEnd(tx, id, [request_id]);
  const ended = await skipRuns(tx, [versionOf({ facts })], actor, reason);
  if (ended.length === 0) return false;
  if (mends) await mendPartly(tx, request_id);
  if (counts) await countPartly(tx, id, request_id);
  return true;
}

function versionOf({ facts: { id, run_version } }: { readonly facts: ItemFacts }): RunVersion {
  invariant(run_version !== null, "only what lives is compared by its run");
  return { id, version: run_version };
}

/** Kept with the journal row and in the audit. Null where there is nothing to tell beyond the action's name. */
function detailOf(action: Action): string | null {
  if (action.type !== "replay") return null;
  return JSON.stringify({ from: action.from, ...(action.onto === undefined ? {} : { onto: action.onto }) });
}
