// A page of found entities, written together with how far their finder has come.

import { type Random, SluiceError } from "../../kit/index.ts";
import type { Database, Queryable } from "../db/database.ts";
import { isConflict, persistently } from "../db/persistently.ts";
import { titleFor } from "../pipeline/title.ts";
import { type FinderMove, moveFinder } from "./finder.sql.ts";
import { knownKeys, takeKeys } from "./found.sql.ts";
import type { CheckedPage, FoundSubmission } from "./found.ts";
import { insertRequests, type NewItem } from "./submit.sql.ts";

export type PageEnd = Pick<FinderMove, "dueInMs" | "goesOn">;

/** Of one run of a finder, over all its pages. */
export interface Totals {
  readonly found: number;
  readonly fresh: number;
  readonly known: number;
}

export interface EnteredPage {
  readonly version: string;
  readonly totals: Totals;
  readonly goesOn: boolean;
}

class KeyJustTaken extends SluiceError {
  constructor() {
    super("KEY_TAKEN", "one of the keys was taken by another submission at the same moment");
  }
}

export interface HeldFinder {
  readonly name: string;
  readonly version: string;
}

/**
 * Enters what is new and moves the finder on, or neither. Undefined when the finder is somebody else's by now. `end` decides
 * from the number of new ones when it looks again.
 */
export async function enterPage(
  db: Database,
  held: HeldFinder,
  page: CheckedPage,
  random: Random,
  before: Totals,
  end: (fresh: number) => PageEnd,
): Promise<EnteredPage | undefined> {
  return await persistently(
    () => db.transaction((tx) => enterOnce(tx, held, page, random, before, end)),
    (error) => error instanceof KeyJustTaken || isConflict(error),
  );
}

async function enterOnce(
  tx: Queryable,
  held: HeldFinder,
  page: CheckedPage,
  random: Random,
  before: Totals,
  end: (fresh: number) => PageEnd,
): Promise<EnteredPage | undefined> {
  const fresh = await unknown(tx, page.entities);
  const totals = {
    found: before.found + page.found,
    fresh: before.fresh + fresh.length,
    known: before.known + page.found - fresh.length,
  };
  const ending = end(fresh.length);
  const version = await moveFinder(tx, held, { after: page.after, ...totals, ...ending });
  if (version === undefined) return undefined;
  await enter(tx, fresh, random);
  return { version, totals, goesOn: ending.goesOn };
}

async function unknown(tx: Queryable, entities: readonly FoundSubmission[]): Promise<readonly FoundSubmission[]> {
  const [first] = entities;
  if (first === undefined) return [];
  const keys = entities.map((one) => one.key);
  const known = await knownKeys(tx, first.first.pipeline.name, keys);
  return entities.filter((one) => !known.has(one.key));
}

/** A request for each, in one statement; a hundred of their own would be three hundred ways to the database. */
async function enter(tx: Queryable, fresh: readonly FoundSubmission[], random: Random): Promise<void> {
  const [first] = fresh;
  if (first === undefined) return;
  const requests = fresh.map(({ key, owner }) => ({ total: 1, key, owner, parent: null }));
  const rows = await insertRequests(
    tx,
    requests,
    fresh.map((one, index) => newItem(one, index + 1, random)),
  );
  const taken = fresh.map(({ key }, index) => ({ key, request: rows[index]?.request_id ?? "0" }));
  const scope = first.scope.name === "live" ? "live" : "forever";
  // Somebody was faster with one of them: everything is undone, and the next try finds it known.
  if (!(await takeKeys(tx, first.first.pipeline.name, taken, scope))) throw new KeyJustTaken();
}

function newItem(found: FoundSubmission, request: number, random: Random): NewItem {
  const { first, priority, delayMs, owner, fairness, key, inputs, deadlineMs, trace } = found;
  const nonce = String(random.token());
  const [input = "null"] = inputs;
  return {
    request,
    pipeline: first.pipelineId,
    lane: first.lane,
    nonce,
    priority,
    delayMs,
    owner,
    fairness,
    key,
    input,
    title: titleFor(first.pipeline, input),
    deadlineMs,
    trace,
  };
}
