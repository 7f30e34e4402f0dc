// How the few enter that somebody may be waiting for: with less to compute than a thousand need, which on an idle server is a
// quarter of the time of a single one. Each item brings its own values, and its request where it is the first of one.

import { jsonTexts, numbers } from "../db/array-text.ts";
import type { Queryable, Statement } from "../db/database.ts";
import { type ClaimedRow, FRESH_RUN, PLAIN_ITEM } from "../items/claimed.ts";
import { fairKey } from "../items/fair-key.ts";
import { openAmong, readyIn } from "../items/hand-over.sql.ts";
import { tellIf } from "../workers/notify.sql.ts";
import { CODEC, storeEntering } from "./entering.sql.ts";
import type { NewItem, SubmittedRow } from "./submit.sql.ts";

/** In requests of their own, without a key. */
export type FewItem = Omit<NewItem, "request" | "key"> & {
  /** Items of the request that begins with this one. Null: it belongs to the same as the one before. */
  readonly total: number | null;
  /** It may be handed over to the receiver. */
  readonly isOffered?: boolean;
};

/** Who takes what is offered. */
export interface Receiver {
  readonly epoch: string;
  readonly servedLanes: readonly number[];
}

/** SQL: when it is handed over, and under whose epoch. */
interface Handing {
  /** Beside what enters, for the two below. */
  readonly beside?: string;
  readonly isHeld: string;
  readonly holder: string;
}

/** SQL: what is handed in, with its ids. */
export const arriving = (columns = "") => `entering as materialized (
  select nextval('sluice.item_ids') as id,
    -- The list is read from its beginning, so the newest id is that of the request it belongs to.
    case when u.total is null then currval('sluice.request_ids') else nextval('sluice.request_ids') end as request_id,
    sluice.now() + u.deadline_ms * interval '1 millisecond' as deadline_at, null::text as key, ${columns} u.*
  from unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[], $7::smallint[], $8::float8[], $9::text[],
    $10::text[], $11::float8[], $12::text[], $13::boolean[])
    u (total, nonce, input, title, pipeline, lane, priority, delay_ms, owner, fairness, deadline_ms, trace, offered)
)`;

/** SQL: stores what is `entering`, in a statement that says what that is. */
export const storeFew = ({ beside = "", isHeld, holder }: Handing) => `requests as (
  insert into sluice.request (id, total, created_at)
  select request_id, total, sluice.now() from entering where total is not null
),
owners as (
  insert into sluice.request_owner (request_id, owner, joined_at)
  select request_id, owner, sluice.now() from entering where total is not null and owner is not null
),
${storeEntering},
runs as (
  insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, reason, deadline_at, fair,
    epoch, begun_at)
  select id, request_id, sluice.now() + delay_ms * interval '1 millisecond', sluice.now(), case when ${isHeld} then 1 else 0 end,
    lane, 0, priority, case when ${isHeld} then 1 else 0 end, case when delay_ms > 0 then 'scheduled' end, deadline_at,
    ${fairKey("fairness")}, case when ${isHeld} then ${holder} end, case when ${isHeld} then sluice.now() end
  from entering ${beside}
)`;

const FEW: Statement = {
  name: "submit-few",
  text: `
with ${arriving()},
${storeFew({ isHeld: "false", holder: "null::bigint" })}
select id, request_id, ${tellIf("$14")} as told from entering order by id`,
};

const isHandedOver = `u.offered and u.priority < (select priority from urgent) and u.lane in (select id from open_lane)`;

// Handed over is what a claim would take at once: its lane is open, its places are nobody's to count, and nothing comes before
// it in the lanes this process serves. Read in the same snapshot, as a settlement does that hands on.
const HAND_OVER: Statement = {
  name: "submit-at-hand",
  text: `
with open_lane as materialized (
  ${openAmong("$6::int[]")}
    -- A worker that was marked dead may take nothing: nobody would look for what it holds.
    and exists (select from sluice.worker where epoch = $15 and state = 0)
),
-- What is as urgent and older goes first, so here it counts as well.
urgent as materialized (
  select coalesce(min(level.priority), 6) as priority
  from ${readyIn("$16::int[]", "$17")}
),
${arriving(`${isHandedOver} as held,`)},
${storeFew({ isHeld: "held", holder: "$15::bigint" })}
select id, request_id, held, case when held then input::jsonb end as input, case when held then ${fairKey("fairness")} end as fair,
  ${tellIf("$14")} as told
from entering
order by id`,
};

export interface FewRow extends SubmittedRow {
  /** Leased to the receiver, and what a claim would have brought that is known only now. */
  readonly held?: boolean;
  readonly input?: unknown;
  readonly fair?: string | null;
}

/**
 * A row for each item, in their order. With `tells` other processes hear of it with the commit; a receiver is handed over what
 * of the offered it may begin at once.
 */
export async function insertFew(
  db: Queryable,
  items: readonly FewItem[],
  tells: boolean,
  receiver?: Receiver,
): Promise<FewRow[]> {
  const values = [...valuesOf(items), tells];
  if (receiver === undefined) return await db.query<FewRow>(FEW, values);
  const { epoch, servedLanes } = receiver;
  const least = Math.max(...items.map((item) => (item.isOffered === true ? item.priority : 0)));
  return await db.query<FewRow>(HAND_OVER, [...values, epoch, servedLanes, least]);
}

/** From $1 on. */
export function valuesOf(items: readonly FewItem[]): unknown[] {
  return [
    items.map((item) => item.total),
    numbers(items.map((item) => item.nonce)),
    jsonTexts(items.map((item) => item.input)),
    items.map((item) => item.title ?? null),
    items.map((item) => item.pipeline),
    items.map((item) => item.lane),
    items.map((item) => item.priority),
    items.map((item) => item.delayMs),
    items.map((item) => item.owner),
    items.map((item) => item.fairness),
    items.map((item) => item.deadlineMs ?? null),
    items.map((item) => item.trace ?? null),
    items.map((item) => item.isOffered === true),
  ];
}

/** What was handed over, as a claim would have brought it. */
export function handedOver(items: readonly FewItem[], rows: readonly FewRow[]): ClaimedRow[] {
  return items.flatMap((item, index): ClaimedRow[] => {
    const row = rows[index];
    return row?.held === true ? [claimedAs(item, row)] : [];
  });
}

function claimedAs(item: FewItem, { id, request_id, input, fair = null }: FewRow): ClaimedRow {
  const { lane, priority, nonce, owner, fairness, trace = null } = item;
  return {
    ...{ ...FRESH_RUN, ...PLAIN_ITEM, fair, fairness, trace },
    ...{ id, request_id, version: 1, lane, stage: 0, priority, ready: 0, nonce, owner, codec: CODEC, input },
  };
}
