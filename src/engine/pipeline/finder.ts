// A finder: looks for work in the data and hands it in. It only says what is there; that nothing enters twice, however often
// it is said and by however many processes, is the engine's business.

import { type Duration, InputError, toMilliseconds } from "../../kit/index.ts";
import { type Accepts, type PipelineName, pipelineName } from "./accepts.ts";
import { isName, nameError } from "./pipeline.ts";

export interface FoundEntity<Asked> {
  /** Names the entity within its pipeline: what has been handed in under it, by whomever, is known. */
  readonly key: string;
  readonly input: Asked;
  readonly owner?: string;
  /** 1 (first) to 5 (last). */
  readonly priority?: number;
}

export interface FindCall<After> {
  /** What the last page answered as `after`; null at the very beginning. */
  readonly after: After | null;
  /** At most so many. A page as long as that is followed by the next one at once. */
  readonly limit: number;
  /** Aborts when the call takes too long or the worker stops. */
  readonly signal: AbortSignal;
}

export interface FoundPage<Asked, After> {
  readonly found: readonly FoundEntity<Asked>[];
  /** Where the next page begins; left out, it stays where it was. */
  readonly after?: After;
}

export interface FinderDefinition<Asked, After> {
  readonly every: Duration;
  readonly pipeline: Accepts<Asked>;
  readonly find: (
    call: FindCall<After>,
  ) => FoundPage<NoInfer<Asked>, After> | Promise<FoundPage<NoInfer<Asked>, After>>;
  /** How long an entity stays known: for ever (the default), or while a request for it lives. */
  readonly unique?: "forever" | "live";
  /** Entities in one page. Default 100. */
  readonly limit?: number;
  /** How long one call of `find` may take. Default 1 min. */
  readonly timeout?: Duration;
}

/** Checked, and its types forgotten. */
export interface Finder {
  readonly name: string;
  readonly everyMs: number;
  readonly timeoutMs: number;
  readonly limit: number;
  readonly unique: "forever" | "live";
  readonly pipeline: PipelineName;
  readonly find: (call: FindCall<unknown>) => unknown;
}

const LIMIT_MOST = 1_000;
const SOONEST_MS = 1_000;
const TIMEOUT_LONGEST_MS = 3_600_000;

export function finder<Asked, After = unknown>(name: string, definition: FinderDefinition<Asked, After>): Finder {
  if (!isName(name)) throw nameError("finder", name);
  const { every, pipeline, find, unique = "forever", limit = 100, timeout = "1m" } = definition ?? {};
  if (typeof find !== "function") throw new InputError(`${name}.find`, `finder "${name}" needs a function find`);
  if (unique !== "forever" && unique !== "live") {
    throw new InputError(`${name}.unique`, `${name}.unique is "forever" or "live", got ${JSON.stringify(unique)}`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MOST) {
    throw new InputError(`${name}.limit`, `${name}.limit is a whole number from 1 to ${LIMIT_MOST}, got ${limit}`);
  }
  const everyMs = toMilliseconds(every, `${name}.every`);
  if (everyMs < SOONEST_MS) throw new InputError(`${name}.every`, `${name}.every must be at least 1 s`);
  const timeoutMs = toMilliseconds(timeout, `${name}.timeout`);
  if (timeoutMs < 1 || timeoutMs > TIMEOUT_LONGEST_MS) {
    throw new InputError(`${name}.timeout`, `${name}.timeout must be above zero and at most 1 h`);
  }
  return Object.freeze({
    name,
    everyMs,
    timeoutMs,
    limit,
    unique,
    pipeline: pipelineName(pipeline, `${name}.pipeline`),
    // What it is given as `after` is what it answered itself; the type was forgotten on the way through the database.
    find: find as Finder["find"],
  });
}
