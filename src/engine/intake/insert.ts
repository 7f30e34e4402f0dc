// From checked submissions to their rows, for one as for many.

import { formatId, type ItemId, type Random } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { growRequest } from "../items/beside.sql.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { titleFor } from "../pipeline/title.ts";
import type { Kept } from "../workers/reception.ts";
import { insertAlike } from "./alike.sql.ts";
import { type FewItem, handedOver, insertFew } from "./few.sql.ts";
import { insertAfar } from "./few-afar.sql.ts";
import type { Submission, Submitted } from "./submission.ts";
import { insertRequests, type NewItem, type NewRequest, type SubmittedRow } from "./submit.sql.ts";

export interface Inserted extends Submitted {
  readonly requestId: string;
}

/** A request of its own, in the statement for items that are alike. */
export async function insertOne(tx: Queryable, submission: Submission, random: Random): Promise<Inserted> {
  const { inputs, first } = submission;
  const titles = first.pipeline.title === undefined ? null : inputs.map((input) => titleFor(first.pipeline, input));
  const kind = { ...submission, pipeline: first.pipelineId, lane: first.lane };
  const made = await insertAlike(tx, kind, String(random.token()), { inputs, titles });
  return {
    request: formatId("request", made.request),
    requestId: made.request,
    items: made.items.map((id) => formatId("item", id)),
    joined: false,
  };
}

/** A request for each, in one statement; the answers in the same order. */
export async function insertAll(
  tx: Queryable,
  submissions: readonly Submission[],
  random: Random,
): Promise<Inserted[]> {
  const [only, ...others] = submissions;
  if (only !== undefined && others.length === 0) return [await insertOne(tx, only, random)];
  const requests = submissions.map(
    ({ inputs, key, owner }): NewRequest => ({ total: inputs.length, key, owner, parent: null }),
  );
  const items = submissions.flatMap((submission, index) => itemsOf(submission, index + 1, random));
  return told(submissions, await insertRequests(tx, requests, items));
}

/** How others hear of it with the commit: not at all, all of them, or the one who is handed what it invited. */
export type Telling = "nobody" | "all" | "whoever invites";

/** The same for a few without a key, and sooner. */
export async function insertPlain(
  db: Queryable,
  submissions: readonly Submission[],
  random: Random,
  telling: Telling,
  kept?: Kept,
): Promise<{ readonly made: Inserted[]; readonly handedOver: ClaimedRow[] }> {
  const items = submissions
    .flatMap((submission) =>
      itemsOf(submission, 0, random).map((item, index): FewItem => {
        return { ...item, total: index === 0 ? submission.inputs.length : null };
      }),
    )
    .map((item, index) => (kept?.chosen.has(index) ? { ...item, isOffered: true } : item));
  if (telling === "whoever invites") return { made: told(submissions, await insertAfar(db, items)), handedOver: [] };
  const rows = await insertFew(db, items, telling === "all", kept);
  return { made: told(submissions, rows), handedOver: handedOver(items, rows) };
}

/** Rows come in the order of the items. */
function told(submissions: readonly Submission[], rows: readonly SubmittedRow[]): Inserted[] {
  let next = 0;
  return submissions.map(({ inputs }) => {
    const own = rows.slice(next, next + inputs.length);
    next += inputs.length;
    const requestId = own[0]?.request_id ?? "0";
    const request = formatId("request", requestId);
    return { request, requestId, items: own.map((row) => formatId("item", row.id)), joined: false };
  });
}

/** Into a request whose lock the transaction has. */
export async function insertInto(
  tx: Queryable,
  submission: Submission,
  request: string,
  random: Random,
): Promise<ItemId[]> {
  if (submission.inputs.length === 0) return [];
  await growRequest(tx, request, submission.inputs.length);
  const rows = await insertRequests(tx, [], itemsOf(submission, { id: request }, random));
  return rows.map((row) => formatId("item", row.id));
}

function itemsOf(submission: Submission, request: NewItem["request"], random: Random): NewItem[] {
  const { inputs, first, key, owner, fairness, priority, delayMs, deadlineMs, trace } = submission;
  return inputs.map((input) => ({
    request,
    pipeline: first.pipelineId,
    lane: first.lane,
    nonce: String(random.token()),
    priority,
    delayMs,
    owner,
    fairness,
    key,
    input,
    title: titleFor(first.pipeline, input),
    deadlineMs,
    trace,
  }));
}
