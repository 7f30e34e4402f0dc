// Lists of items for people and programs: a filter, a page, and where the next one goes on.

import {
  type Duration,
  formatId,
  InputError,
  idsBeginning,
  parseId,
  type RequestId,
  toMilliseconds,
} from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { findLaneFacts } from "../explain/lane-facts.sql.ts";
import type { ItemState, StageLookup } from "../explain/state.ts";
import { type Verdict, verdictsOf } from "../explain/verdicts.ts";
import { isOfDueOnly } from "../items/reasons.ts";
import { explainItems } from "./explain-item.ts";
import { type ItemLine, isWaiting, toLine } from "./item-line.ts";
import type { ItemSource } from "./item-sources.sql.ts";
import { findItems, type ItemFacts } from "./list-items.sql.ts";
import { checkLimit, NEWEST, type Page, type PageOptions } from "./page.ts";
import { type Any, idRangesOf, several } from "./terms.ts";

export interface ItemTerms {
  readonly pipeline?: Any<string>;
  /** Of the pipeline. */
  readonly version?: Any<number>;
  /** Where it stands, failed or was cancelled; what is done stands nowhere. */
  readonly stage?: Any<string>;
  readonly state?: Any<ItemState>;
  /** Why it waits, as a code: the one that is told of it, also where its lane keeps it and not its own doing. */
  readonly reason?: Any<string>;
  /** In whose lane it is; only of what lives. */
  readonly service?: Any<string>;
  /** Of its failure; of what lives, of its last fault. */
  readonly code?: Any<string>;
  /** By name, the one that holds it now. */
  readonly worker?: Any<string>;
  readonly owner?: Any<string>;
  /** The unique key of its request. */
  readonly key?: Any<string>;
  readonly request?: Any<RequestId>;
  /** A whole item, or a part of one. */
  readonly kind?: Any<"item" | "part">;
  /** Its name, of an item that is a part. */
  readonly part?: Any<string>;
  readonly priority?: Any<number>;
  /** Its title has this in it, in small or capital letters. */
  readonly title?: Any<string>;
  /** The message of its failure, or of its last fault, has this in it. */
  readonly message?: Any<string>;
}

/** All of what is given has to be so. */
export interface ItemFilter extends ItemTerms {
  readonly not?: ItemTerms | undefined;
  /** The beginning of its id, with or without its zeros. */
  readonly id?: Any<string>;
  /** What stands in its input at such a path, as text. */
  readonly data?: readonly { readonly path: readonly string[]; readonly values: readonly string[] }[] | undefined;
  /** The beginning of its id or of its key; or in its title. */
  readonly word?: string | undefined;
  /** Used so far in its stage. */
  readonly attemptsLeast?: number | undefined;
  readonly attemptsMost?: number | undefined;
  /** Since it ended; of what lives, since it was submitted. */
  readonly olderThan?: Duration | undefined;
  readonly newerThan?: Duration | undefined;
}

const LIVE: readonly string[] = ["queued", "running", "waiting", "needs-you"];
const ENDED_BADLY: readonly string[] = ["failed", "cancelled"];
const STATES: readonly string[] = [...LIVE, "done", ...ENDED_BADLY];

export async function listItems(
  db: Queryable,
  stagesOf: StageLookup,
  filter: ItemFilter = {},
  options: PageOptions = {},
): Promise<Page<ItemLine>> {
  const { not = {}, attemptsLeast, attemptsMost, olderThan, newerThan } = filter;
  const is = withoutStates(factsOf(filter), factsOf(not).state);
  const isNot = { ...factsOf(not), state: undefined };
  const verdicts = [is.reason, isNot.reason].some(Boolean) ? verdictsOf(await findLaneFacts(db)) : [];
  const word = filter.word === undefined || filter.word === "" ? null : filter.word;
  const { rows, stoppedAt } = await findItems(db, {
    source: sourceOf(is, filter),
    before: options.after === undefined ? NEWEST : parseId("item", options.after, "after"),
    limit: checkLimit(options.limit),
    is,
    not: isNot,
    ids: idRangesOf("item", filter.id) ?? null,
    attemptsLeast: attemptsLeast ?? null,
    attemptsMost: attemptsMost ?? null,
    olderMs: olderThan === undefined ? null : toMilliseconds(olderThan, "olderThan"),
    newerMs: newerThan === undefined ? null : toMilliseconds(newerThan, "newerThan"),
    word,
    wordIds: word === null ? [] : (idsBeginning("item", word) ?? []),
    verdicts,
    texts: {
      ...{ title: several(filter.title), notTitle: several(not.title) },
      ...{ message: several(filter.message), notMessage: several(not.message), data: filter.data, word },
    },
    lanes: lanesOf(verdicts, is.reason),
  });
  const waiting = rows.filter(isWaiting).map(({ id }) => id);
  const why = await explainItems(db, stagesOf, waiting);
  const lines = rows.map((row) =>
    toLine(row, stagesOf({ name: row.pipeline, version: row.pipeline_version }), why.get(row.id)),
  );
  return {
    // What is shown never contradicts what was asked for.
    entries: lines.filter(({ reason }) => fits(reason, is.reason, isNot.reason)),
    next: stoppedAt === null ? null : formatId("item", stoppedAt),
  };
}

function lanesOf(verdicts: readonly Verdict[], wanted: readonly string[] = []): number[] {
  return [...new Set(verdicts.flatMap(({ lane, reason }) => (wanted.includes(reason) ? [lane] : [])))];
}

function fits(reason: string | null, wanted?: readonly string[], unwanted: readonly string[] = []): boolean {
  return (wanted === undefined || wanted.includes(reason ?? "")) && !unwanted.includes(reason ?? "");
}

function factsOf(terms: ItemTerms): ItemFacts {
  const { pipeline, version, stage, state, reason, service, code, worker, owner, key, request, part, kind } = terms;
  const { priority } = terms;
  const texts = (given: Any<string | number>) => several(given)?.map(String);
  const wrong = (texts(state) ?? []).find((one) => !STATES.includes(one));
  if (wrong !== undefined)
    throw new InputError("state", `state is one of ${STATES.join(", ")}, got ${JSON.stringify(wrong)}`);
  return {
    ...{ pipeline: texts(pipeline), version: texts(version), stage: texts(stage), state: texts(state) },
    ...{ reason: texts(reason), service: texts(service), code: texts(code), worker: texts(worker) },
    ...{ owner: texts(owner), key: texts(key), part: texts(part), kind: texts(kind), priority: texts(priority) },
    request: several(texts(request)?.map((one) => parseId("request", one, "request"))),
  };
}

/** There are seven states, so what an item must not be says as well what it has to be; and that leads to an index. */
function withoutStates(is: ItemFacts, unwanted: readonly string[] | undefined): ItemFacts {
  if (unwanted === undefined) return is;
  return { ...is, state: (is.state ?? STATES).filter((one) => !unwanted.includes(one)) };
}

/** The index that leads to the fewest first. An owner's list looks at nothing of others: where it stopped would tell of them. */
function sourceOf(is: ItemFacts, { id, word, message }: ItemFilter): ItemSource {
  if (is.owner !== undefined) return "owner";
  if (id !== undefined) return "id";
  if (is.request !== undefined) return "request";
  if (is.key !== undefined) return "key";
  if (word !== undefined && word !== "") return "word";
  const livesOnly = is.reason !== undefined || is.service !== undefined || is.worker !== undefined;
  const states = (is.state ?? STATES).filter((one) => !livesOnly || LIVE.includes(one));
  if (is.worker !== undefined) return "worker";
  if (is.reason?.every(isOfDueOnly)) return "lanes";
  if (states.every((one) => one === "running")) return "held";
  if (states.every((one) => LIVE.includes(one))) return "live";
  if (states.every((one) => ENDED_BADLY.includes(one))) return "ended";
  if (!states.includes("done") || is.stage !== undefined || is.code !== undefined || message !== undefined)
    return "open";
  return is.pipeline === undefined ? "all" : "pipeline";
}
