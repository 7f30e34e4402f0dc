// Lists of requests for people and programs.

import { formatId, type ItemId, parseId, type RequestId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type RequestCounts, type RequestStatus, rollUp } from "../intake/rollup.ts";
import { findRequests, type RequestLineRow } from "./list-requests.sql.ts";
import { checkLimit, NEWEST, type Page, type PageOptions } from "./page.ts";

/** All of what is given has to be so. */
export interface RequestFilter {
  /** Among its owners. */
  readonly owner?: string | undefined;
  readonly key?: string | undefined;
  /** Whether all its items have ended. */
  readonly over?: boolean | undefined;
  /** Also those that items spawned, or made for their parts. Default false. */
  readonly children?: boolean | undefined;
}

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
  { owner, key, over, children = false }: RequestFilter = {},
  options: PageOptions = {},
): Promise<Page<RequestLine>> {
  const { rows, stoppedAt } = await findRequests(db, {
    // An owner's list looks at nothing of others: where it stopped would tell of them.
    source: owner !== undefined ? "owner" : key !== undefined ? "key" : "all",
    before: options.after === undefined ? NEWEST : parseId("request", options.after, "after"),
    limit: checkLimit(options.limit),
    key: key ?? null,
    owner: owner ?? null,
    isOver: over ?? null,
    withChildren: children,
  });
  return { entries: rows.map(toLine), next: stoppedAt === null ? null : formatId("request", stoppedAt) };
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
