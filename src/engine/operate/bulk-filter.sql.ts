// Finding the items a filter means. The text depends on which fields are named: a condition that is always there and often
// means nothing would keep the planner from every index.
//
// What lives is found through `run`, which has only that. What has ended is found by reading `item`: an index over its state
// would have to be written whenever an item ends, by everybody, for what is asked now and then.

import { createHash } from "node:crypto";
import type { Queryable, Statement } from "../db/database.ts";
import type { ItemState } from "../explain/state.ts";
import { ITEM_STATE } from "../items/codes.ts";
import { anywhere } from "../read/item-texts.sql.ts";
import type { Filter } from "./bulk-filter.ts";

export interface Matching {
  /** From and where, for items `i`. */
  readonly text: string;
  readonly values: readonly unknown[];
}

const liveState = `case when r.state <> 0 then 'running' when r.ready_at <= sluice.now() then 'queued'
    when r.reason = 'question' then 'needs-you' else 'waiting' end`;

// How it ended, or its last fault while it lives.
const last = `
left join lateral (
  select j.stage, j.code, j.message from sluice.journal j
  where j.item_id = i.id and case when i.state = 0 then j.kind = 8 else j.ended <> 0 end
  order by j.version desc
  limit 1) last on true`;

/** `taken` parameters stand before those of the filter. */
export function matching(filter: Filter, taken: number): Matching {
  const values: unknown[] = [];
  const given = (value: unknown) => {
    values.push(value);
    return `$${taken + values.length}`;
  };
  const { state, olderMs, newerMs } = filter;
  const ends = state?.filter(isEnd);
  const isLive = ends?.length === 0 || filter.reason !== undefined || filter.service !== undefined;
  const age = "coalesce(i.finished_at, i.created_at)";
  const ago = (ms: number) => `sluice.now() - ${given(ms)}::float8 * interval '1 millisecond'`;
  const needsLast =
    filter.code !== undefined || filter.message !== undefined || (filter.stage !== undefined && !isLive);
  const stage = isLive ? "r.stage" : needsLast ? "coalesce(r.stage, last.stage)" : "r.stage";
  const conditions: string[] = [];
  if (filter.ids !== undefined) conditions.push(`i.id = any (${given(filter.ids)}::bigint[])`);
  else conditions.push("i.part is null");
  if (filter.request !== undefined) conditions.push(`i.request_id = ${given(filter.request)}::bigint`);
  if (filter.pipeline !== undefined) conditions.push(`p.name = ${given(filter.pipeline)}`);
  // The engine's own are meant only by their name.
  else if (filter.ids === undefined) conditions.push("p.name <> 'cleanup'");
  if (filter.version !== undefined) conditions.push(`p.version = ${given(filter.version)}::int`);
  if (filter.stage !== undefined) {
    conditions.push(`p.stages[${stage} + 1] = ${given(filter.stage)}`);
    // What is done stands nowhere, unless it is what is asked for.
    if (!isLive && ends === undefined) conditions.push(`i.state <> ${ITEM_STATE.done}`);
  }
  if (state !== undefined) conditions.push(standsIn(state, given));
  if (filter.code !== undefined) conditions.push(`last.code = ${given(filter.code)}`);
  if (filter.message !== undefined) conditions.push(`last.message ilike ${given(anywhere(filter.message))}`);
  if (filter.title !== undefined) conditions.push(`i.title ilike ${given(anywhere(filter.title))}`);
  if (filter.reason !== undefined)
    conditions.push(`r.state = 0 and r.ready_at > sluice.now() and r.reason = ${given(filter.reason)}`);
  if (filter.service !== undefined) conditions.push(`l.service = ${given(filter.service)}`);
  if (filter.owner !== undefined) conditions.push(`i.owner = ${given(filter.owner)}`);
  if (olderMs !== undefined) conditions.push(`${age} < ${ago(olderMs)}`);
  if (newerMs !== undefined) conditions.push(`${age} >= ${ago(newerMs)}`);
  const joins = [
    "join sluice.pipeline p on p.id = i.pipeline_id",
    `${isLive ? "" : "left "}join sluice.run r on r.id = i.id`,
    ...(filter.service === undefined ? [] : ["join sluice.lane l on l.id = r.lane"]),
  ];
  const from = `from sluice.item i\n${joins.join("\n")}${needsLast ? last : ""}`;
  return { text: `${from}\nwhere ${conditions.join("\n  and ")}`, values };
}

type End = "done" | "failed" | "cancelled";

function isEnd(state: ItemState): state is End {
  return state === "done" || state === "failed" || state === "cancelled";
}

/** What has ended has no run, so its state alone is asked for; of what lives, how its run stands. */
function standsIn(states: readonly ItemState[], given: (value: unknown) => string): string {
  const ends = states.filter(isEnd).map((state) => ITEM_STATE[state]);
  const lives = states.filter((state) => !isEnd(state));
  const ways = [
    ...(ends.length === 0 ? [] : [`i.state = any (${given(ends)}::smallint[])`]),
    ...(lives.length === 0 ? [] : [`i.state = 0 and ${liveState} = any (${given(lives)}::text[])`]),
  ];
  return ways.length === 1 ? ways.join() : `(${ways.join(" or ")})`;
}

/** One name, one text. */
export function named(name: string, text: string): Statement {
  return { name: `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`, text };
}

export async function matchingPage(db: Queryable, filter: Filter, after: string, limit: number): Promise<string[]> {
  const { text, values } = matching(filter, 2);
  const page = named("bulk-page", `select i.id ${text}\n  and i.id > $1::bigint\norder by i.id\nlimit $2`);
  const rows = await db.query<{ id: string }>(page, [after, limit, ...values]);
  return rows.map((row) => row.id);
}
