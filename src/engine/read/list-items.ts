// Lists of items for people and programs: a filter, a page, and where the next one goes on.

import { formatId, InputError, parseId, type RequestId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { ItemState, StageLookup } from "../explain/state.ts";
import { type ItemLine, toLine } from "./item-line.ts";
import { findItems, type ItemSource } from "./list-items.sql.ts";
import { checkLimit, NEWEST, type Page, type PageOptions } from "./page.ts";

/** All of what is given has to be so. */
export interface ItemFilter {
  readonly pipeline?: string | undefined;
  /** Of the pipeline. */
  readonly version?: number | undefined;
  /** Where it stands; what has ended stands nowhere. */
  readonly stage?: string | undefined;
  readonly state?: ItemState | undefined;
  /** Why it waits, as a code. */
  readonly reason?: string | undefined;
  readonly owner?: string | undefined;
  /** The unique key of its request. */
  readonly key?: string | undefined;
  readonly request?: RequestId | undefined;
}

const LIVE: ReadonlySet<string> = new Set(["queued", "running", "waiting", "needs-you"]);
const STATES: ReadonlySet<string> = new Set([...LIVE, "done", "failed", "cancelled"]);

export async function listItems(
  db: Queryable,
  stagesOf: StageLookup,
  filter: ItemFilter = {},
  options: PageOptions = {},
): Promise<Page<ItemLine>> {
  const { pipeline, version, stage, state, reason, owner, key, request } = filter;
  if (state !== undefined && !STATES.has(state))
    throw new InputError("state", `state is one of ${[...STATES].join(", ")}, got ${JSON.stringify(state)}`);
  const { rows, stoppedAt } = await findItems(db, {
    source: sourceOf(filter),
    before: options.after === undefined ? NEWEST : parseId("item", options.after, "after"),
    limit: checkLimit(options.limit),
    request: request === undefined ? null : parseId("request", request, "request"),
    key: key ?? null,
    owner: owner ?? null,
    pipeline: pipeline ?? null,
    version: version ?? null,
    stage: stage ?? null,
    state: state ?? null,
    reason: reason ?? null,
  });
  return {
    entries: rows.map((row) => toLine(row, stagesOf({ name: row.pipeline, version: row.pipeline_version }))),
    next: stoppedAt === null ? null : formatId("item", stoppedAt),
  };
}

/** The index that leads to the fewest first. An owner's list looks at nothing of others: where it stopped would tell of them. */
function sourceOf({ request, key, owner, stage, state, reason, pipeline }: ItemFilter): ItemSource {
  if (owner !== undefined) return "owner";
  if (request !== undefined) return "request";
  if (key !== undefined) return "key";
  if (stage !== undefined || reason !== undefined || (state !== undefined && LIVE.has(state))) return "live";
  if (state === "failed" || state === "cancelled") return "ended";
  return pipeline === undefined ? "all" : "pipeline";
}
