// What is to be sent and what was: one row for a message and a channel. Written in the transaction that decides on the message,
// so that nothing decided is lost; its id goes along whenever it is sent, so that a receiver can tell a repetition.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { ChannelType } from "./channel.ts";
import type { Message, MessageKind } from "./message.ts";

export interface NewDelivery {
  readonly messageId: string;
  readonly channel: string;
  readonly alert: string | null;
  readonly message: Message;
}

// What is not told yet and only repeats or counts is overtaken by whatever comes after it.
const ADD: Statement = {
  name: "delivery-add",
  text: `
with overtaken as (
  update sluice_server.delivery
  set state = 'overtaken'
  where alert_id = $3 and channel_id = $2 and state = 'waiting' and kind in ('reminder', 'updated')
)
insert into sluice_server.delivery (message_id, channel_id, alert_id, message, kind, state, created_at, next_at)
values ($1, $2, $3, $4::text::jsonb, $5, 'waiting', sluice.now(), sluice.now())`,
};

export async function addDelivery(db: Queryable, { messageId, channel, alert, message }: NewDelivery): Promise<void> {
  await db.query(ADD, [messageId, channel, alert, JSON.stringify(message), message.kind]);
}

export interface DueRow {
  readonly id: string;
  readonly message_id: string;
  readonly message: Message;
  readonly tries: number;
  readonly age_ms: number;
  readonly channel_id: string;
  readonly name: string;
  readonly type: ChannelType;
  readonly remote_id: string | null;
}

// Each channel's oldest: what comes after it waits, so that nobody hears of an end before the beginning.
const DUE: Statement = {
  name: "delivery-due",
  text: `
select d.id, d.message_id, d.message, d.tries, (extract(epoch from sluice.now() - d.created_at) * 1000)::float8 as age_ms,
  c.id as channel_id, c.name, c.type, known.remote_id
from sluice_server.channel c
cross join lateral (
  select id, message_id, message, tries, created_at, next_at, alert_id from sluice_server.delivery
  where channel_id = c.id and state = 'waiting'
  order by id
  limit 1) d
left join lateral (
  select p.remote_id from sluice_server.delivery p
  where p.channel_id = c.id and p.alert_id = d.alert_id and p.remote_id is not null
  order by p.id desc
  limit 1) known on true
where c.is_on and d.next_at <= sluice.now()
order by d.next_at, d.id
limit $1`,
};

export async function dueDeliveries(db: Queryable, most: number): Promise<DueRow[]> {
  return await db.query<DueRow>(DUE, [most]);
}

export interface Tried {
  readonly state: "waiting" | "sent" | "given-up";
  readonly delayMs: number;
  readonly status: number | null;
  readonly code: string | null;
  readonly answer: string;
  readonly tookMs: number;
  readonly remoteId: string | null;
}

const RECORD: Statement = {
  name: "delivery-record",
  text: `
update sluice_server.delivery
set state = $2, next_at = sluice.now() + $3::float8 * interval '1 millisecond', tries = tries + 1, tried_at = sluice.now(),
  status = $4, code = $5, answer = $6, took_ms = $7, remote_id = coalesce($8, remote_id)
where id = $1 and state = 'waiting'`,
};

export async function recordTry(db: Queryable, id: string, tried: Tried): Promise<void> {
  const { state, delayMs, status, code, answer, tookMs, remoteId } = tried;
  await db.query(RECORD, [id, state, delayMs, status, code, answer, Math.round(tookMs), remoteId]);
}

const TEST: Statement = {
  name: "delivery-test",
  text: `
insert into sluice_server.delivery (message_id, channel_id, message, kind, state, created_at, next_at, tries, tried_at, status,
  code, answer, took_ms)
values ($1, $2, $3::text::jsonb, 'test', $4, sluice.now(), sluice.now(), 1, sluice.now(), $5, $6, $7, $8)`,
};

/** A test is sent once, at once; only what came of it is kept. */
export async function recordTest(
  db: Queryable,
  { messageId, channel, message }: NewDelivery,
  tried: Tried,
): Promise<void> {
  const { state, status, code, answer, tookMs } = tried;
  await db.query(TEST, [messageId, channel, JSON.stringify(message), state, status, code, answer, Math.round(tookMs)]);
}

const DROP: Statement = {
  name: "delivery-drop",
  text: `
update sluice_server.delivery
set state = 'given-up', code = 'CHANNEL_OFF'
where channel_id = $1 and state = 'waiting'`,
};

/** The channel was switched off. */
export async function dropWaiting(db: Queryable, channel: string): Promise<void> {
  await db.query(DROP, [channel]);
}

const AGAIN: Statement = {
  name: "delivery-again",
  text: `
update sluice_server.delivery d
set state = 'waiting', created_at = sluice.now(), next_at = sluice.now(), tries = 0
from sluice_server.channel c
where d.id = $1 and d.state <> 'waiting' and d.kind <> 'test' and c.id = d.channel_id and c.is_on
returning d.id`,
};

/** Sent once more, under the id it had. False when it waits anyway, is a test, or its channel is off. */
export async function redeliver(db: Queryable, id: string): Promise<boolean> {
  return (await db.query(AGAIN, [id])).length === 1;
}

export interface DeliveryRow {
  readonly id: string;
  readonly message_id: string;
  readonly channel: string;
  readonly alert_id: string | null;
  readonly kind: MessageKind;
  readonly title: string;
  readonly state: "waiting" | "sent" | "given-up" | "overtaken";
  readonly created_at: Date;
  readonly next_at: Date;
  readonly tries: number;
  readonly tried_at: Date | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly answer: string | null;
  readonly took_ms: number | null;
}

const LIST: Statement = {
  name: "delivery-list",
  text: `
select d.id, d.message_id, c.name as channel, d.alert_id, d.kind, d.message ->> 'title' as title, d.state, d.created_at, d.next_at,
  d.tries, d.tried_at, d.status, d.code, d.answer, d.took_ms
from sluice_server.delivery d
join sluice_server.channel c on c.id = d.channel_id
where ($1::bigint is null or d.id < $1) and ($2::bigint is null or d.channel_id = $2)
order by d.id desc
limit $3`,
};

/** Newest first. */
export async function listDeliveries(
  db: Queryable,
  before: string | null,
  channel: string | null,
  limit: number,
): Promise<DeliveryRow[]> {
  return await db.query<DeliveryRow>(LIST, [before, channel, limit]);
}

export interface FailingRow {
  readonly channel_id: string;
  readonly name: string;
  readonly since: Date;
  readonly tries: number;
  readonly code: string | null;
  readonly answer: string | null;
  readonly waiting: number;
  readonly next_at: Date;
}

// Its oldest message does not get through, or the last one was given up and nothing has got through since.
const FAILING: Statement = {
  name: "delivery-failing",
  text: `
select c.id as channel_id, c.name, last.created_at as since, last.tries, last.code, last.answer, behind.n as waiting, last.next_at
from sluice_server.channel c
cross join lateral (
  select d.created_at, d.tries, d.code, d.answer, d.next_at, d.state from sluice_server.delivery d
  where d.channel_id = c.id and d.kind <> 'test' and (d.state = 'waiting' and d.tries > 0 or d.state in ('sent', 'given-up'))
    and d.created_at > sluice.now() - interval '7 days'
  order by d.state = 'waiting' desc, d.tried_at desc nulls last
  limit 1) last
cross join lateral (
  select count(*)::int as n from (
    select from sluice_server.delivery d where d.channel_id = c.id and d.state = 'waiting' limit 1000) x) behind
where c.is_on and last.state <> 'sent' and coalesce(last.code, '') not in ('CHANNEL_OFF', 'NOTHING_TO_EDIT')
order by c.id`,
};

export async function failingChannels(db: Queryable): Promise<FailingRow[]> {
  return await db.query<FailingRow>(FAILING, []);
}

const FORGET: Statement = {
  name: "delivery-forget",
  text: `
delete from sluice_server.delivery
where id in (
  select id from sluice_server.delivery
  where created_at < sluice.now() - interval '30 days' and state <> 'waiting'
  order by created_at
  limit 1000)`,
};

export async function forgetDeliveries(db: Queryable): Promise<void> {
  await db.query(FORGET, []);
}
