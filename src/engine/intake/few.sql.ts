// How the few enter that somebody may be waiting for: with less to compute than a thousand need, which on an idle server is a
// quarter of the time of a single one. Each item brings its own values, and its request where it is the first of one.

import { jsonTexts, numbers } from "../db/array-text.ts";
import type { Queryable, Statement } from "../db/database.ts";
import { type ClaimedRow, FRESH_RUN, PLAIN_ITEM } from "../items/claimed.ts";
import { fairKey } from "../items/fair-key.ts";
import { readyIn, uncountedAmong, valvesAreOf } from "../items/hand-over.sql.ts";
import { tellIf } from "../workers/notify.sql.ts";
import { CODEC, storeEntering } from "./entering.sql.ts";
import type { NewItem, SubmittedRow } from "./submit.sql.ts";

/** In requests of their own, without a key. */
export type FewItem = Omit<NewItem, "request" | "key"> & {
  /** Items of the request that begins with this one. Null: it belongs to the same as the one before. */
  readonly total: number | null;
  /** It may be handed over to the receiver, which takes its lane for open. */
  readonly isOffered?: boolean;
};

/** Who takes what is offered. */
export interface Receiver {
  readonly epoch: string;
  readonly servedLanes: readonly number[];
  /** The generation of the valves by which it takes them for open, and what is offered. */
  readonly valves: string;
}

/** SQL: when it is handed over, and under whose epoch. */
interface Handing {
  /** Beside what enters, for the two below. */
  readonly beside?: string;
  readonly isHeld: string;
  readonly holder: string;
}

/** How a statement is given what is handed in: as a list for each column; or, where it is one item, as the values themselves. */
export interface Form {
  readonly name: "few" | "one";
  /** SQL: the lanes they enter. */
  readonly lanes: string;
  /** SQL: a row for each item. */
  readonly rows: string;
  /** SQL: answers in the order of the items. */
  readonly inOrder: string;
}

const TYPES = "int bigint text text int int smallint float8 text text float8 text boolean".split(" ");
const given = (suffix: string) => TYPES.map((type, index) => `$${index + 1}::${type}${suffix}`).join(", ");
const FEW: Form = { name: "few", lanes: "$6::int[]", rows: `unnest(${given("[]")})`, inOrder: "order by id" };
// A list is read by a function, whose rows are kept apart until it has told the last; and then they are sorted.
const ONE: Form = { name: "one", lanes: "array[$6::int]", rows: `(values (${given("")}))`, inOrder: "" };

/** A statement in both forms. */
export interface InForms {
  readonly few: Statement;
  readonly one: Statement;
}

export const inForms = (write: (form: Form) => Statement): InForms => ({ few: write(FEW), one: write(ONE) });

export const formFor = (items: readonly FewItem[]): keyof InForms => (items.length === 1 ? "one" : "few");

/** SQL: what is handed in, with its ids. */
export const arriving = ({ rows }: Form, columns = "") => `entering as materialized (
  select nextval('sluice.item_ids') as id,
    -- The list is read from its beginning, so the newest id is that of the request it belongs to.
    case when u.total is null then currval('sluice.request_ids') else nextval('sluice.request_ids') end as request_id,
    sluice.now() + u.deadline_ms * interval '1 millisecond' as deadline_at, null::text as key, ${columns} u.*
  from ${rows}
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

const STORE = inForms((form) => ({
  name: `submit-${form.name}`,
  text: `
with ${arriving(form)},
${storeFew({ isHeld: "false", holder: "null::bigint" })}
select id, request_id, ${tellIf("$14")} as told from entering ${form.inOrder}`,
}));

// Handed over is what a claim would take at once: its lane is open still (or it would not be offered), its places are nobody's to count,
// and nothing comes before it in the lanes this process serves; what is as urgent and older goes first, so here it counts as well. Read in
// the same snapshot, as a settlement does that hands on. What does not hang on the item is asked once, and only where the rest was true.
const isHandedOver = (lanes: string) => `u.offered
      -- A worker that was marked dead may take nothing: nobody would look for what it holds.
      and exists (select from sluice.worker where epoch = $15 and state = 0)
      and ${valvesAreOf("$18::bigint")}
      and u.lane = any (array (${uncountedAmong(lanes)}))
      and u.priority < (select coalesce(min(level.priority), 6) from ${readyIn("$16::int[]", "$17")})`;

const HAND_OVER = inForms((form) => ({
  name: `submit-${form.name}-at-hand`,
  text: `
with ${arriving(form, `${isHandedOver(form.lanes)} as held,`)},
${storeFew({ isHeld: "held", holder: "$15::bigint" })}
select id, request_id, held, case when held then input::jsonb end as input, case when held then ${fairKey("fairness")} end as fair,
  ${tellIf("$14")} as told
from entering
${form.inOrder}`,
}));

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
  const form = formFor(items);
  if (receiver === undefined) return await db.query<FewRow>(STORE[form], values);
  const { epoch, servedLanes, valves } = receiver;
  const least = Math.max(...items.map((item) => (item.isOffered === true ? item.priority : 0)));
  return await db.query<FewRow>(HAND_OVER[form], [...values, epoch, servedLanes, least, valves]);
}

/** From $1 on, in the form for so many. */
export function valuesOf(items: readonly FewItem[]): unknown[] {
  const [first] = items;
  if (first !== undefined && formFor(items) === "one") return columnsOf(first);
  const rows = items.map(columnsOf);
  const lists: unknown[] = TYPES.map((_, column) => rows.map((row) => row[column]));
  // Where the driver would quote and escape every element by itself.
  return lists.with(1, numbers(items.map((item) => item.nonce))).with(2, jsonTexts(items.map((item) => item.input)));
}

function columnsOf(item: FewItem): unknown[] {
  const { total, nonce, input, title = null, pipeline, lane, priority, delayMs, owner, fairness } = item;
  const { deadlineMs = null, trace = null, isOffered = false } = item;
  return [
    ...[total, nonce, input, title, pipeline, lane, priority, delayMs],
    ...[owner, fairness, deadlineMs, trace, isOffered],
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
