// What a caller hands in, checked: nothing in a submission can be refused by the database.

import {
  type Clock,
  checkText,
  type Duration,
  InputError,
  type ItemId,
  parseId,
  type RequestId,
  toMilliseconds,
} from "../../kit/index.ts";
import { fairnessOf } from "../items/fair-key.ts";
import { checkInput, type InputPlace } from "../pipeline/check-input.ts";
import { checkTrace } from "../pipeline/trace.ts";
import type { Place } from "../workers/registry.ts";
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
import type { Chosen } from "./rollout.ts";

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
  /**
   * Hands the items into a request that is open, and adds the owner to it. Refused where nothing of it is left to do; without
   * inputs the owner is added all the same. Takes the place of a key.
   */
  readonly into?: RequestId;
}

export interface Submitted {
  readonly request: RequestId;
  /** With a key that was taken: those that were there. */
  readonly items: readonly ItemId[];
  /** True when a request was there already, and this one joined it. */
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
  /** The open request they are handed into. */
  readonly into: string | null;
}

export async function checkSubmission(
  first: Place,
  given: readonly unknown[],
  options: SubmitOptions,
  clock: Clock,
): Promise<Submission> {
  if (typeof options !== "object" || options === null) throw new InputError("options", "options must be an object");
  if (!Array.isArray(given)) throw new InputError("items", "submit takes a list of inputs, one for each item");
  const into = checkInto(options);
  if (given.length === 0 && into === null) throw new InputError("items", "submit needs at least one input");
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
    into,
  };
}

/** A key would say a second time which request is meant, and perhaps another. */
function checkInto({ into, key, unique, onConflict }: SubmitOptions): string | null {
  if (into === undefined) return null;
  if (key !== undefined || unique !== undefined || onConflict !== undefined)
    throw new InputError("into", "into names the request itself; leave key, unique and onConflict out");
  return parseId("request", into, "into");
}

/** Of thousands of inputs, of which nearly none has to be named. */
class ItemPlace implements InputPlace {
  readonly maxBytes = VALUE_BYTES;
  readonly pipeline: Place["pipeline"];
  readonly limit: NonNullable<InputPlace["limit"]>;
  /** Of the one that is looked at: they are, one after the other. */
  index = 0;

  constructor(pipeline: Place["pipeline"], limit: NonNullable<InputPlace["limit"]>) {
    this.pipeline = pipeline;
    this.limit = limit;
  }

  get field(): string {
    return `items[${this.index}]`;
  }
}

async function checkInputs(first: Place, given: readonly unknown[], clock: Clock): Promise<string[]> {
  const limit = { clock, until: clock.monotonic() + SCHEMA_MS };
  const place = new ItemPlace(first.pipeline, limit);
  const inputs: string[] = [];
  let bytes = 0;
  for (const value of given) {
    place.index = inputs.length;
    const checked = checkInput(value, place);
    const json = typeof checked === "string" ? checked : await checked;
    bytes += Buffer.byteLength(json);
    if (bytes > SUBMIT_BYTES) {
      const most = SUBMIT_BYTES / 1024 / 1024;
      throw new InputError(
        "items",
        `the inputs of one call may have ${most} MB together; ${place.field} is beyond that`,
      );
    }
    inputs.push(json);
  }
  return inputs;
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
