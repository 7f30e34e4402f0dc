// A page of found entities: asked for and checked. Nothing is written here.

import { type Clock, checkJson, InputError, safeText } from "../../kit/index.ts";
import type { Finder, FoundEntity } from "../pipeline/finder.ts";
import type { Place } from "../workers/registry.ts";
import { answerInTime } from "./answer-in-time.ts";
import { VALUE_BYTES } from "./limits.ts";
import { checkSubmission, type Submission } from "./submission.ts";

export interface FoundSubmission extends Submission {
  readonly key: string;
}

export interface CheckedPage {
  /** In the order of their keys; of those with one key, the first that was found. */
  readonly entities: readonly FoundSubmission[];
  readonly found: number;
  /** JSON text; null where the finder did not say. */
  readonly after: string | null;
}

/** Calls `find` and checks what it answers. Throws what it threw, and names the entity that is wrong. */
export async function findPage(
  finder: Finder,
  first: Place,
  after: unknown,
  ports: { readonly clock: Clock; readonly stopping: AbortSignal },
): Promise<CheckedPage> {
  const { clock } = ports;
  const answer = await answerInTime(ports, `finder "${finder.name}"`, finder.timeoutMs, (signal) =>
    finder.find({ after, limit: finder.limit, signal }),
  );
  const { found, after: next } = (answer ?? {}) as { found?: unknown; after?: unknown };
  if (!Array.isArray(found)) throw new InputError("found", `finder "${finder.name}" must answer { found: […] }`);
  if (found.length > finder.limit) {
    throw new InputError("found", `finder "${finder.name}" found ${found.length} at once, asked for ${finder.limit}`);
  }
  const entities = new Map<string, FoundSubmission>();
  for (const [index, one] of found.entries()) {
    const submission = await checkEntity(one as FoundEntity<unknown>, `found[${index}]`, finder, first, clock);
    if (!entities.has(submission.key)) entities.set(submission.key, submission);
  }
  return {
    // By code units, which is no language's order but the same everywhere: whoever takes keys takes them in one order.
    entities: [...entities.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    found: found.length,
    after: next === undefined ? null : checkJson(next, { field: "after", maxBytes: VALUE_BYTES }),
  };
}

async function checkEntity(
  entity: FoundEntity<unknown>,
  field: string,
  finder: Finder,
  first: Place,
  clock: Clock,
): Promise<FoundSubmission> {
  const { key, input, owner, priority } = entity ?? {};
  if (typeof key !== "string" || key === "") throw new InputError(`${field}.key`, `${field} needs a key that is text`);
  const options = {
    key,
    unique: finder.unique,
    ...(owner === undefined ? {} : { owner }),
    ...(priority === undefined ? {} : { priority }),
  };
  try {
    return { ...(await checkSubmission(first, [input], options, clock)), key };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(field, `${field} (${safeText(key, 80)}): ${error.message}`, { cause: error });
  }
}
