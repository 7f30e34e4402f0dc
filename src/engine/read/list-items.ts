// Lists of items for people and programs: a filter, a page, and where the next one goes on.

import { formatId, InputError, type ItemId, parseId, type RequestId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type ItemState, itemState, type StageLookup, statusWord } from "../explain/state.ts";
import { progressOf } from "../intake/rollup.ts";
import { endStateName } from "../items/codes.ts";
import { evenStages } from "./item.ts";
import { findItems, type ItemLineRow, type ItemSource } from "./list-items.sql.ts";
import { checkLimit, type Page, type PageOptions } from "./page.ts";

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

/** An item as a line of a list. */
export interface ItemLine {
  readonly id: ItemId;
  readonly request: RequestId;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  readonly state: ItemState;
  readonly status: string;
  readonly reason: string | null;
  readonly since: Date;
  readonly until: Date | null;
  readonly attempts: { readonly used: number; readonly max: number | null };
  readonly progress: number;
  readonly priority: number;
  readonly owner: string | null;
  readonly key: string | null;
  readonly part: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly code: string | null;
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
    before: options.after === undefined ? LAST : parseId("item", options.after, "after"),
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
    entries: rows.map((row) => toLine(row, stagesOf)),
    next: stoppedAt === null ? null : formatId("item", stoppedAt),
  };
}

const LAST = String(2n ** 63n - 1n);

/** The index that leads to the fewest first. An owner's list looks at nothing of others: where it stopped would tell of them. */
function sourceOf({ request, key, owner, stage, state, reason, pipeline }: ItemFilter): ItemSource {
  if (owner !== undefined) return "owner";
  if (request !== undefined) return "request";
  if (key !== undefined) return "key";
  if (stage !== undefined || reason !== undefined || (state !== undefined && LIVE.has(state))) return "live";
  if (state === "failed" || state === "cancelled") return "ended";
  return pipeline === undefined ? "all" : "pipeline";
}

function toLine(row: ItemLineRow, stagesOf: StageLookup): ItemLine {
  const end = endStateName(row.end_state) ?? null;
  const index = row.run_stage ?? row.last_stage ?? 0;
  const run = row.run_state === null ? null : { state: row.run_state, reason: row.reason, isDue: row.is_due };
  const state = itemState(end, run);
  const isWaiting = state === "waiting" || state === "needs-you";
  const stages = stagesOf({ name: row.pipeline, version: row.pipeline_version });
  return {
    id: formatId("item", row.id),
    request: formatId("request", row.request_id),
    pipeline: row.pipeline,
    version: row.pipeline_version,
    stage: row.stages[index] ?? "",
    state,
    status: statusWord(end, { stage: index, hasBegun: row.has_begun }, stages?.[index]?.words),
    reason: isWaiting ? row.reason : null,
    since: row.since ?? row.finished_at ?? row.created_at,
    until: isWaiting ? row.ready_at : null,
    attempts: { used: row.attempts ?? row.last_attempt ?? 0, max: stages?.[index]?.attemptsMax ?? null },
    progress: end === "done" ? 100 : progressOf(stages ?? evenStages(row.stages), index, row.progress ?? 0),
    priority: row.priority,
    owner: row.owner,
    key: row.key,
    part: row.part,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    code: row.code,
  };
}
