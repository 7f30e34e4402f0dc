// Lists of requests for people and programs.

import {
  type Duration,
  formatId,
  InputError,
  type ItemId,
  parseId,
  type RequestId,
  toMilliseconds,
} from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type RequestCounts, type RequestStatus, rollUp } from "../intake/rollup.ts";
import { findRequests, type RequestLineRow } from "./list-requests.sql.ts";
import { checkLimit, NEWEST, type Page, type PageOptions } from "./page.ts";
import { type Any, idRangesOf, several } from "./terms.ts";

export interface RequestTerms {
  /** Among its owners. */
  readonly owner?: Any<string>;
  readonly key?: Any<string>;
  readonly status?: Any<RequestStatus>;
}

/** All of what is given has to be so. */
export interface RequestFilter extends RequestTerms {
  readonly not?: RequestTerms | undefined;
  /** The beginning of its id, with or without its zeros. */
  readonly id?: Any<string>;
  /** Since it was submitted. */
  readonly olderThan?: Duration | undefined;
  readonly newerThan?: Duration | undefined;
  /** Whether all its items have ended. */
  readonly over?: boolean | undefined;
  /** Also those that items spawned, or made for their parts. Default false. */
  readonly children?: boolean | undefined;
}

const STATUSES: readonly RequestStatus[] = ["PENDING", "PROCESSING", "COMPLETED", "PARTIAL", "FAILED", "CANCELLED"];

/** A request as a line of a list. */
export interface RequestLine {
  readonly id: RequestId;
  /** The item that spawned it, where one did. */
  readonly parent: ItemId | null;
  readonly key: string | null;
  readonly owners: readonly string[];
  readonly status: RequestStatus;
  readonly counts: RequestCounts;
  readonly createdAt: Date;
}

export async function listRequests(
  db: Queryable,
  filter: RequestFilter = {},
  options: PageOptions = {},
): Promise<Page<RequestLine>> {
  const { not = {}, over, children = false, olderThan, newerThan } = filter;
  const [owners, keys] = [several(filter.owner) ?? null, several(filter.key) ?? null];
  const ids = idRangesOf("request", filter.id) ?? null;
  const { rows, stoppedAt } = await findRequests(db, {
    // An owner's list looks at nothing of others: where it stopped would tell of them.
    source: owners !== null ? "owner" : ids !== null ? "id" : keys !== null ? "key" : "all",
    before: options.after === undefined ? NEWEST : parseId("request", options.after, "after"),
    limit: checkLimit(options.limit),
    ...{ keys, keysNot: several(not.key) ?? null, owners, ownersNot: several(not.owner) ?? null, ids },
    statuses: statusesOf(filter.status, not.status),
    olderMs: olderThan === undefined ? null : toMilliseconds(olderThan, "olderThan"),
    newerMs: newerThan === undefined ? null : toMilliseconds(newerThan, "newerThan"),
    isOver: over ?? null,
    withChildren: children,
  });
  return { entries: rows.map(toLine), next: stoppedAt === null ? null : formatId("request", stoppedAt) };
}

function statusesOf(wanted: Any<RequestStatus>, unwanted: Any<RequestStatus>): readonly RequestStatus[] | null {
  const [is, not] = [several(wanted), several(unwanted)];
  const wrong = [...(is ?? []), ...(not ?? [])].find((one) => !STATUSES.includes(one));
  if (wrong !== undefined)
    throw new InputError("status", `status is one of ${STATUSES.join(", ")}, got ${JSON.stringify(wrong)}`);
  return not === undefined ? (is ?? null) : (is ?? STATUSES).filter((one) => !not.includes(one));
}

function toLine(row: RequestLineRow): RequestLine {
  const { total, completed, partly, failed, cancelled } = row;
  const counts = { total, completed, partly, failed, cancelled };
  return {
    id: formatId("request", row.id),
    parent: row.parent_id === null ? null : formatId("item", row.parent_id),
    key: row.key,
    owners: row.owners,
    status: rollUp(counts, row.has_begun),
    counts,
    createdAt: row.created_at,
  };
}
