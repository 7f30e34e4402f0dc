// A batch of an operation: facts and plans first, with nothing locked; then one transaction that changes the items and writes
// down what came of each. A crash before its commit has done nothing, one after it has done and recorded all of it.

import { parseId, SluiceError, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { classifyDatabaseError } from "../db/errors.ts";
import { isConflict } from "../db/persistently.ts";
import { type ActPorts, isKeyTaken } from "./act.ts";
import { type Considered, consider } from "./consider.ts";
import { CopyJustMade } from "./copy.ts";
import { addSpawned, lockMembers, type MemberResult, OUTCOME, openMembers, recordResults } from "./operation.sql.ts";
import type { OperationRow } from "./operation-read.sql.ts";
import { type Action, PART_BY_ITSELF } from "./plan.ts";
import { type Planned, type Written, writeChanges } from "./write.ts";

/** Their locks are held for one transaction of some fifty milliseconds. Copies are made one by one, and are fewer. */
const BATCH = 500;
const COPIES = 50;

type Operation = Pick<OperationRow, "id" | "action" | "actor">;

/** False when there is nothing to do for this process: another one is at it, or has the code for what is left. */
export async function runBatch(ports: ActPorts, operation: Operation): Promise<boolean> {
  const { action } = operation;
  const pipelines = action.type === "retry" ? ports.registry.pipelineIds() : null;
  const limit = action.type === "replay" && action.as === "copy" ? COPIES : BATCH;
  const members = await openMembers(ports.db, operation.id, pipelines, limit);
  if (members.length === 0) return false;
  try {
    return (await runThese(ports, operation, members)) > 0;
  } catch (error) {
    if (isNobodysFault(error)) throw error;
    return await runEach(ports, operation, members);
  }
}

/** One of them spoils it for all: each by itself, and the one that cannot be done is told apart. */
async function runEach(ports: ActPorts, operation: Operation, members: readonly string[]): Promise<boolean> {
  let recorded = 0;
  for (const member of members) {
    try {
      recorded += await runThese(ports, operation, [member]);
    } catch (error) {
      if (isNobodysFault(error)) throw error;
      const result = isKeyTaken(error) ? refused(member, error.message) : failed(member, error);
      recorded += await recordOne(ports, operation, result);
    }
  }
  return recorded > 0;
}

/** Whoever is in the way goes, and a database that is away comes back: the operation goes on from where it stands. */
function isNobodysFault(error: unknown): boolean {
  // Thrown by our own code, or an author's: asking again brings the same.
  if (error instanceof SluiceError || error instanceof TypeError) return false;
  const failure = classifyDatabaseError(error);
  return isConflict(error) || error instanceof CopyJustMade || failure === "lost" || failure === "trouble";
}

/** How many were recorded. What moved since it was looked at is left for the next batch. */
async function runThese(ports: ActPorts, operation: Operation, members: readonly string[]): Promise<number> {
  const { action, actor } = operation;
  const considered = await consider(ports, action, members, actor);
  const found = new Map(considered.map((one) => [one.facts.id, one]));
  return await ports.db.transaction(async (tx) => {
    const open = await lockMembers(tx, operation.id, members);
    const planned = considered.filter((one) => open.has(one.facts.id)).flatMap(plannedOf);
    const { random, registry } = ports;
    const written = planned.length > 0 ? await writeChanges({ tx, actor, random, registry }, action, planned) : NONE;
    const results = [...open].flatMap((id) => resultOf(id, found.get(id), written.get(id)));
    await followSpawned(tx, operation, action, results);
    if (results.length > 0) await recordResults(tx, operation.id, results);
    return results.length;
  });
}

const NONE: ReadonlyMap<string, Written> = new Map();

function plannedOf({ facts, plan }: Considered): Planned[] {
  return "change" in plan && plan.change.type !== "reopen-part" ? [{ facts, change: plan.change }] : [];
}

function resultOf(id: string, one: Considered | undefined, written: Written | undefined): MemberResult[] {
  if (one === undefined) return [refused(id, "there is no such item any more")];
  if ("refusal" in one.plan) return [refused(id, one.plan.refusal)];
  if (one.plan.change.type === "reopen-part") return [refused(id, PART_BY_ITSELF)];
  if (written === undefined) return [];
  if (written.refusal !== undefined) return [refused(id, written.refusal)];
  const copy = written.copy === undefined ? null : parseId("item", written.copy.item);
  return [{ id, outcome: OUTCOME.done, reason: null, copy }];
}

/** Cancelling reaches what was spawned, in batches of the same operation. */
async function followSpawned(
  tx: Queryable,
  operation: Operation,
  action: Action,
  results: readonly MemberResult[],
): Promise<void> {
  if (action.type !== "cancel") return;
  const cancelled = results.filter((one) => one.outcome === OUTCOME.done).map((one) => one.id);
  if (cancelled.length > 0) await addSpawned(tx, operation.id, cancelled);
}

async function recordOne(ports: ActPorts, operation: Operation, result: MemberResult): Promise<number> {
  return await ports.db.transaction(async (tx) => {
    const open = await lockMembers(tx, operation.id, [result.id]);
    if (open.size > 0) await recordResults(tx, operation.id, [result]);
    return open.size;
  });
}

function refused(id: string, reason: string): MemberResult {
  return { id, outcome: OUTCOME.refused, reason, copy: null };
}

function failed(id: string, error: unknown): MemberResult {
  return { id, outcome: OUTCOME.failed, reason: safeText(error, 500), copy: null };
}
