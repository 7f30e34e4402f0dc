// Rows of what was asked under a key. Whoever inserts one does the work; everybody else finds it there.

import type { Queryable, Statement } from "../../engine/index.ts";

export interface Asked {
  readonly account: string;
  readonly key: string;
  readonly fingerprint: string;
}

// A key is forgotten after a day, and from then on a new one.
const BEGIN: Statement = {
  name: "idempotency-begin",
  text: `
insert into sluice_server.idempotency as k (account, key, fingerprint, begun_at, alive_until)
values ($1, $2, $3, sluice.now(), sluice.now() + $4::float8 * interval '1 millisecond')
on conflict (account, key) do update
set fingerprint = excluded.fingerprint, begun_at = excluded.begun_at, alive_until = excluded.alive_until,
  status = null, location = null, body = null
where k.begun_at < sluice.now() - interval '24 hours'
returning account`,
};

/** True for the one that is to do it, and is taken to be at it for `termMs`. */
export async function beginKey(db: Queryable, { account, key, fingerprint }: Asked, termMs: number): Promise<boolean> {
  return (await db.query(BEGIN, [account, key, fingerprint, termMs])).length === 1;
}

const STAY: Statement = {
  name: "idempotency-stay",
  text: `
update sluice_server.idempotency set alive_until = sluice.now() + $4::float8 * interval '1 millisecond'
where account = $1 and key = $2 and fingerprint = $3 and status is null`,
};

/** Is still at it, for `termMs` from now. */
export async function stayAtKey(db: Queryable, { account, key, fingerprint }: Asked, termMs: number): Promise<void> {
  await db.query(STAY, [account, key, fingerprint, termMs]);
}

export interface KeyRow {
  readonly fingerprint: string;
  readonly status: number | null;
  readonly location: string | null;
  readonly body: string | null;
  /** Milliseconds since it was begun. */
  readonly age: number;
  /** Whoever does it was heard of within its term. */
  readonly is_alive: boolean;
}

const FIND: Statement = {
  name: "idempotency-find",
  text: `
select fingerprint, status, location, body, (extract(epoch from sluice.now() - begun_at) * 1000)::float8 as age,
  coalesce(alive_until > sluice.now(), false) as is_alive
from sluice_server.idempotency where account = $1 and key = $2`,
};

export async function findKey(db: Queryable, { account, key }: Asked): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(FIND, [account, key]);
  return row;
}

const END: Statement = {
  name: "idempotency-end",
  text: `
update sluice_server.idempotency set status = $4, location = $5, body = $6
where account = $1 and key = $2 and fingerprint = $3 and status is null`,
};

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly body: string | null;
}

export async function endKey(db: Queryable, { account, key, fingerprint }: Asked, answer: Answer): Promise<void> {
  await db.query(END, [account, key, fingerprint, answer.status, answer.location, answer.body]);
}

const FREE: Statement = {
  name: "idempotency-free",
  text: "delete from sluice_server.idempotency where account = $1 and key = $2 and fingerprint = $3 and status is null",
};

/** Nothing was changed under it. */
export async function freeKey(db: Queryable, { account, key, fingerprint }: Asked): Promise<void> {
  await db.query(FREE, [account, key, fingerprint]);
}

const CLEAR: Statement = {
  name: "idempotency-clear",
  text: `
delete from sluice_server.idempotency k
using (
  select account, key from sluice_server.idempotency
  where begun_at < sluice.now() - interval '24 hours'
  order by begun_at limit 10
  for update skip locked) old
where k.account = old.account and k.key = old.key`,
};

/** A few of the old ones with every new one: so there are never many. */
export async function clearKeys(db: Queryable): Promise<void> {
  await db.query(CLEAR, []);
}
