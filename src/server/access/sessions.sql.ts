// Who is signed in. A session is found by the hash of its token, or of the one before until that is retired.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { ListPage } from "../list-page.ts";
import type { Role } from "./principal.ts";

const BEGIN_SESSION: Statement = {
  name: "session-begin",
  text: `
insert into sluice_server.session (hash, account, created_at, seen_at, renewed_at, address, agent, is_secure)
select $1, a.name, sluice.now(), sluice.now(), sluice.now(), $3, $5, $6
from (
  select name from sluice_server.account
  where name = $2 and password = $4 and disabled_at is null
  -- Whoever changes the password or shuts the account out comes before or after, and ends this one too where after.
  for share) a
returning account`,
};

export interface NewSession {
  readonly hash: string;
  readonly account: string;
  readonly address: string;
  /** The password it was opened with, as it is stored. */
  readonly stored: string | null;
  /** What the browser calls itself, for people to know it by. */
  readonly agent: string | null;
  /** Its cookie insists on HTTPS. */
  readonly isSecure: boolean;
}

/** False when the account is shut out, or its password is another one by now. */
export async function beginSession(db: Queryable, session: NewSession): Promise<boolean> {
  const { hash, account, address, stored, agent, isSecure } = session;
  return (await db.query(BEGIN_SESSION, [hash, account, address, stored, agent, isSecure])).length > 0;
}

export interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly role: Role;
  readonly is_secure: boolean;
  /** Seconds since it was last seen; written down again only now and then. */
  readonly unseen: number;
  /** Of its newest token. */
  readonly hash: string;
  readonly has_unretired: boolean;
  readonly age: number;
}

const isLive = (idle: string, whole: string) =>
  `s.seen_at > sluice.now() - ${idle} * interval '1 millisecond' and s.created_at > sluice.now() - ${whole} * interval '1 millisecond'`;

const findBy = (condition: string) => `
select s.id, s.account, a.role, s.is_secure, s.hash, extract(epoch from sluice.now() - s.seen_at)::float8 as unseen,
  s.past_hash is not null and s.past_until is null as has_unretired,
  (extract(epoch from sluice.now() - s.renewed_at) * 1000)::float8 as age
from sluice_server.session s
join sluice_server.account a on a.name = s.account
where ${condition} and a.disabled_at is null and ${isLive("$2", "$3")}`;

const FIND_SESSION: Statement = {
  name: "session-find",
  text: findBy("(s.hash = $1 or s.past_hash = $1 and (s.past_until is null or s.past_until > sluice.now()))"),
};

const SESSION_OF_ID: Statement = { name: "session-of-id", text: findBy("s.id = $1::bigint") };

export interface SessionLimits {
  readonly idleMs: number;
  readonly wholeMs: number;
}

export async function findSession(db: Queryable, hash: string, limits: SessionLimits): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow>(FIND_SESSION, [hash, limits.idleMs, limits.wholeMs]);
  return row;
}

export async function sessionOfId(db: Queryable, id: string, limits: SessionLimits): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow>(SESSION_OF_ID, [id, limits.idleMs, limits.wholeMs]);
  return row;
}

const SEE_SESSION: Statement = {
  name: "session-see",
  text: `update sluice_server.session set seen_at = sluice.now() where id = $1`,
};

export async function seeSession(db: Queryable, id: string): Promise<void> {
  await db.query(SEE_SESSION, [id]);
}

const RENEW: Statement = {
  name: "session-renew",
  text: `
update sluice_server.session
set past_hash = $2, past_until = null, hash = $4, renewed_at = sluice.now()
where id = $1 and hash = $3
returning id`,
};

/** One of several requests at once has the new token; the others go on with the one they came with. */
export async function renewSession(
  db: Queryable,
  id: string,
  hashes: { readonly shown: string; readonly newest: string; readonly next: string },
): Promise<boolean> {
  return (await db.query(RENEW, [id, hashes.shown, hashes.newest, hashes.next])).length > 0;
}

const RETIRE: Statement = {
  name: "session-retire",
  text: `
update sluice_server.session set past_until = sluice.now() + $2::float8 * interval '1 millisecond'
where hash = $1 and past_hash is not null and past_until is null`,
};

export async function retirePast(db: Queryable, newest: string, overlapMs: number): Promise<void> {
  await db.query(RETIRE, [newest, overlapMs]);
}

const END_TOKEN: Statement = {
  name: "session-end",
  text: `delete from sluice_server.session where hash = $1 or past_hash = $1`,
};

/** The one with this token. */
export async function endSession(db: Queryable, hash: string): Promise<void> {
  await db.query(END_TOKEN, [hash]);
}

const END_SESSIONS: Statement = {
  name: "sessions-end",
  text: `
delete from sluice_server.session
where account = $1 and ($2::bigint is null or id = $2)
  and ($3::text is null or hash <> $3 and past_hash is distinct from $3)
returning id`,
};

export interface EndedSessions {
  readonly account: string;
  /** Only this one of them. */
  readonly id?: string | undefined;
  /** All but the one with this token. */
  readonly besides?: string | undefined;
}

/** How many ended. */
export async function endSessions(db: Queryable, { account, id, besides }: EndedSessions): Promise<number> {
  return (await db.query(END_SESSIONS, [account, id ?? null, besides ?? null])).length;
}

export interface SessionLine {
  readonly id: string;
  readonly created_at: Date;
  readonly seen_at: Date;
  readonly address: string | null;
  readonly agent: string | null;
  readonly is_this: boolean;
}

const LIST_SESSIONS: Statement = {
  name: "session-list",
  text: `
select s.id, s.created_at, s.seen_at, s.address, s.agent, (s.hash = $4 or s.past_hash is not distinct from $4) as is_this
from sluice_server.session s
where s.account = $1 and ${isLive("$2", "$3")} and ($5::bigint is null or s.id < $5)
order by s.id desc
limit $6`,
};

export async function listSessions(
  db: Queryable,
  account: string,
  limits: SessionLimits,
  own: string,
  { after, limit }: ListPage,
): Promise<SessionLine[]> {
  const values = [account, limits.idleMs, limits.wholeMs, own, after ?? null, limit];
  return await db.query<SessionLine>(LIST_SESSIONS, values);
}
