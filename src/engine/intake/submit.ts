// How work enters: checks what was given, then writes request and items in one transaction, together with the key that
// makes the submission unique where there is one.

import {
  type Clock,
  checkText,
  type Duration,
  formatId,
  InputError,
  type ItemId,
  type Random,
  type RequestId,
  SluiceError,
  toMilliseconds,
} from "../../kit/index.ts";
import type { Database, Queryable } from "../db/database.ts";
import { isConflict, persistently } from "../db/persistently.ts";
import { inSavepoint } from "../db/savepoint.sql.ts";
import { fairnessOf } from "../items/fair-key.ts";
import { cancelRequest } from "../operate/cancel.ts";
import { checkInput } from "../pipeline/check-input.ts";
import { checkTrace } from "../pipeline/trace.ts";
import type { Place } from "../workers/registry.ts";
import { itemsOf } from "./items-of.sql.ts";
import {
  DEFAULT_PRIORITY,
  ITEMS_MOST,
  KEY_BYTES,
  OWNER_BYTES,
  PRIORITY_BEST,
  PRIORITY_WORST,
  SCHEMA_MS,
  SUBMIT_BYTES,
  VALUE_BYTES,
} from "./limits.ts";
import { type Chosen, mustStillHold } from "./rollout.ts";
import { insertRequests, type NewItem } from "./submit.sql.ts";
import { findKeyHolder, freeKey, joinOwner, rescheduleRequest, takeKey } from "./unique-key.sql.ts";

export interface SubmitOptions {
  /** Makes the submission unique within its pipeline. */
  readonly key?: string;
  /** How long the key stays taken: until the request is over, for a time, or for ever. What has failed lets go of it. */
  readonly unique?: "live" | "forever" | { readonly window: Duration };
  /** When the key is taken: join what is there, cancel it and take its place, or move the start of what has not begun. */
  readonly onConflict?: "join" | "replace" | "reschedule";
  readonly owner?: string;
  /** 1 (first) to 5 (last). */
  readonly priority?: number;
  /** Not before this much time has passed. */
  readonly delay?: Duration;
  /** Items that have not ended so much later fail with the code DEADLINE, wherever they are. Default: the pipeline's. */
  readonly deadline?: Duration;
  /** The trace they belong to, as a W3C traceparent. Their visits have it, and what they spawn. */
  readonly trace?: string;
  /** Whose turn they take, in pipelines that are `fair`. Default: their owner's. */
  readonly fairness?: string;
}

export interface Submitted {
  readonly request: RequestId;
  readonly items: readonly ItemId[];
  /** True when a request with the same key was there already, and this one joined it. */
  readonly joined: boolean;
}

/** The checked form of a submission: nothing in it can be refused by the database. */
export interface Submission {
  readonly first: Place;
  readonly inputs: readonly string[];
  readonly key: string | null;
  readonly scope: { readonly name: "live" | "window" | "forever"; readonly windowMs: number | null };
  readonly onConflict: "join" | "replace" | "reschedule";
  readonly owner: string | null;
  readonly priority: number;
  readonly delayMs: number;
  readonly fairness: string | null;
  /** Where the rollout decided the version: what has to be so still when it is stored. */
  readonly rollout?: Chosen;
  readonly deadlineMs: number | null;
  readonly trace: string | null;
}

export async function checkSubmission(
  first: Place,
  given: readonly unknown[],
  options: SubmitOptions,
  clock: Clock,
): Promise<Submission> {
  if (typeof options !== "object" || options === null) throw new InputError("options", "options must be an object");
  if (!Array.isArray(given)) throw new InputError("items", "submit takes a list of inputs, one for each item");
  if (given.length === 0) throw new InputError("items", "submit needs at least one input");
  if (given.length > ITEMS_MOST)
    throw new InputError("items", `submit takes at most ${ITEMS_MOST} inputs at once, got ${given.length}`);
  const inputs = await checkInputs(first, given, clock);
  const { unique = "live", onConflict = "join", priority = DEFAULT_PRIORITY } = options;
  if (!Number.isInteger(priority) || priority < PRIORITY_BEST || priority > PRIORITY_WORST) {
    throw new InputError(
      "priority",
      `priority is a whole number from ${PRIORITY_BEST} (first) to ${PRIORITY_WORST} (last), got ${priority}`,
    );
  }
  if (!["join", "replace", "reschedule"].includes(onConflict)) {
    throw new InputError(
      "onConflict",
      `onConflict is "join", "replace" or "reschedule", got ${JSON.stringify(onConflict)}`,
    );
  }
  const delayMs = toMilliseconds(options.delay ?? 0, "delay");
  const owner = textOrNull(options.owner, "owner", OWNER_BYTES);
  return {
    first,
    inputs,
    key: textOrNull(options.key, "key", KEY_BYTES),
    scope: checkScope(unique),
    onConflict,
    owner,
    priority,
    delayMs,
    fairness: fairnessOf(first.pipeline, { fairness: textOrNull(options.fairness, "fairness", OWNER_BYTES), owner }),
    deadlineMs: checkDeadline(options.deadline, first.pipeline.deadlineMs, delayMs),
    trace: checkTrace(options.trace),
  };
}

async function checkInputs(first: Place, given: readonly unknown[], clock: Clock): Promise<string[]> {
  const limit = { clock, until: clock.monotonic() + SCHEMA_MS };
  const inputs: string[] = [];
  let bytes = 0;
  for (const [index, value] of given.entries()) {
    const field = `items[${index}]`;
    const json = await checkInput(value, { pipeline: first.pipeline, field, maxBytes: VALUE_BYTES, limit });
    bytes += Buffer.byteLength(json);
    if (bytes > SUBMIT_BYTES) {
      const most = SUBMIT_BYTES / 1024 / 1024;
      throw new InputError("items", `the inputs of one call may have ${most} MB together; ${field} is beyond that`);
    }
    inputs.push(json);
  }
  return inputs;
}

/**
 * Writes it; in the caller's transaction where one is given, and there in a savepoint: where it fails, the caller may go
 * on, and must not find half a submission in the transaction. Two submissions with one key at the same moment: one takes
 * it, the other starts over and finds it taken.
 */
export async function submit(db: Database, submission: Submission, random: Random, tx?: Queryable): Promise<Submitted> {
  const isTaken = (error: unknown) => error instanceof KeyJustTaken;
  if (tx !== undefined) {
    return await persistently(() => inSavepoint(tx, () => submitUnique(tx, submission, random)), isTaken);
  }
  if (submission.key === null && submission.rollout === undefined) return await insert(db, submission, random);
  return await persistently(
    () => db.transaction((own) => submitUnique(own, submission, random)),
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

async function submitUnique(tx: Queryable, submission: Submission, random: Random): Promise<Submitted> {
  const { key, owner, scope, onConflict, first } = submission;
  if (submission.rollout !== undefined) await mustStillHold(tx, first.pipeline.name, submission.rollout);
  if (key === null) return await insert(tx, submission, random);
  const pipeline = first.pipeline.name;
  const holder = await findKeyHolder(tx, pipeline, key);
  const isTaken = holder !== undefined && !holder.is_expired && !holder.has_failed;
  if (isTaken && onConflict !== "replace") {
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
    if (isTaken) await cancelRequest(tx, holder.request_id, "replaced");
    await freeKey(tx, pipeline, key);
  }
  const { requestId, ...made } = await insert(tx, submission, random);
  if (!(await takeKey(tx, { pipeline, key }, requestId, scope))) throw new KeyJustTaken(key);
  return made;
}

async function insert(
  tx: Queryable,
  submission: Submission,
  random: Random,
): Promise<Submitted & { readonly requestId: string }> {
  const { inputs, first, key, owner, fairness, priority, delayMs, deadlineMs, trace } = submission;
  const items: NewItem[] = inputs.map((input) => ({
    request: 1,
    pipeline: first.pipelineId,
    lane: first.lane,
    nonce: String(random.token()),
    priority,
    delayMs,
    owner,
    fairness,
    key,
    input,
    deadlineMs,
    trace,
  }));
  const rows = await insertRequests(tx, [{ total: items.length, key, owner, parent: null }], items);
  const requestId = rows[0]?.request_id ?? "0";
  return {
    request: formatId("request", requestId),
    requestId,
    items: rows.map((row) => formatId("item", row.id)),
    joined: false,
  };
}

function textOrNull(value: string | undefined, field: string, maxBytes: number): string | null {
  return value === undefined ? null : checkText(value, field, maxBytes);
}

/** One that passes before the work may begin could only ever fail. */
function checkDeadline(given: Duration | undefined, usual: number | undefined, delayMs: number): number | null {
  const ms = given === undefined ? usual : toMilliseconds(given, "deadline");
  if (ms === undefined) return null;
  if (ms <= delayMs) throw new InputError("deadline", "deadline has to be longer than 0, and than the delay");
  return ms;
}

function checkScope(unique: NonNullable<SubmitOptions["unique"]>): Submission["scope"] {
  if (unique === "live" || unique === "forever") return { name: unique, windowMs: null };
  if (typeof unique !== "object" || unique === null)
    throw new InputError("unique", `unique is "live", "forever" or { window }`);
  return { name: "window", windowMs: toMilliseconds(unique.window, "unique.window") };
}
