// How work enters that is unique by a key, of a version that a rollout chose, or in a transaction of the caller's.

import { formatId, type Random, SluiceError } from "../../kit/index.ts";
import type { Database, Queryable } from "../db/database.ts";
import { isConflict, persistently } from "../db/persistently.ts";
import { inSavepoint } from "../db/savepoint.sql.ts";
import { cancelRequest } from "../operate/cancel.ts";
import { insertInto, insertOne } from "./insert.ts";
import { lockInto, seeInto } from "./into.sql.ts";
import { mustTake } from "./into.ts";
import { itemsOf } from "./items-of.sql.ts";
import { mustStillHold } from "./rollout.ts";
import type { Submission, Submitted } from "./submission.ts";
import {
  findKeyHolder,
  freeKey,
  joinOwner,
  type KeyHolder,
  rescheduleRequest,
  seeKeyHolder,
  takeKey,
} from "./unique-key.sql.ts";

/** What a caller has stored with a submission, or not at all. */
export type Alongside = (tx: Queryable, stored: Submitted) => Promise<void>;

/**
 * Writes it; in the caller's transaction where one is given, and there in a savepoint: where it fails, the caller may go
 * on, and must not find half a submission in the transaction. Two submissions with one key at the same moment: one takes
 * it, the other starts over and finds it taken.
 */
export async function submit(
  db: Database,
  submission: Submission,
  random: Random,
  tx?: Queryable,
  alongside?: Alongside,
): Promise<Submitted> {
  const write = async (within: Queryable) => {
    const stored = await submitUnique(within, submission, random);
    await alongside?.(within, stored);
    return stored;
  };
  const isTaken = (error: unknown) => error instanceof KeyJustTaken;
  if (tx !== undefined) {
    return await persistently(() => inSavepoint(tx, () => write(tx)), isTaken);
  }
  return await persistently(
    () => db.transaction(write),
    (error) => isTaken(error) || isConflict(error),
  );
}

class KeyJustTaken extends SluiceError {
  constructor(key: string) {
    super(
      "KEY_TAKEN",
      `the key ${JSON.stringify(key)} was taken by another submission at the same moment; submit again`,
      { field: "key" },
    );
  }
}

function isTaken(holder: KeyHolder | undefined): holder is KeyHolder {
  return holder !== undefined && !holder.is_expired && !holder.has_failed;
}

/** Whether it would join what is there, as things stand. */
export async function wouldJoin(db: Queryable, submission: Submission): Promise<boolean> {
  const { key, onConflict, first, into, inputs } = submission;
  if (into !== null) {
    mustTake(into, inputs.length, await seeInto(db, into));
    return true;
  }
  if (key === null || onConflict === "replace") return false;
  return isTaken(await seeKeyHolder(db, first.pipeline.name, key));
}

async function submitUnique(tx: Queryable, submission: Submission, random: Random): Promise<Submitted> {
  const { key, owner, scope, onConflict, first } = submission;
  if (submission.rollout !== undefined) await mustStillHold(tx, first.pipeline.name, submission.rollout);
  if (submission.into !== null) return await submitInto(tx, submission, submission.into, random);
  if (key === null) return await insertOne(tx, submission, random);
  const pipeline = first.pipeline.name;
  const holder = await findKeyHolder(tx, pipeline, key);
  if (isTaken(holder) && onConflict !== "replace") {
    if (onConflict === "reschedule") await rescheduleRequest(tx, holder.request_id, submission.delayMs);
    if (owner !== null) await joinOwner(tx, holder.request_id, owner);
    const items = await itemsOf(tx, holder.request_id);
    return {
      request: formatId("request", holder.request_id),
      items: items.map((id) => formatId("item", id)),
      joined: true,
    };
  }
  if (holder !== undefined) {
    if (isTaken(holder)) await cancelRequest(tx, holder.request_id, "replaced");
    await freeKey(tx, pipeline, key);
  }
  const { requestId, ...made } = await insertOne(tx, submission, random);
  if (!(await takeKey(tx, { pipeline, key }, requestId, scope))) throw new KeyJustTaken(key);
  return made;
}

/** The request's lock comes first: it neither ends nor is counted meanwhile, and whoever leaves it does so before or after. */
async function submitInto(tx: Queryable, submission: Submission, into: string, random: Random): Promise<Submitted> {
  mustTake(into, submission.inputs.length, await lockInto(tx, into));
  const items = await insertInto(tx, submission, into, random);
  if (submission.owner !== null) await joinOwner(tx, into, submission.owner);
  return { request: formatId("request", into), items, joined: true };
}
