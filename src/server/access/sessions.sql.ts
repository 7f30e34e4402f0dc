// Who is signed in. A session is found by the hash of its token.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { Role } from "./principal.ts";

const BEGIN_SESSION: Statement = {
  name: "session-begin",
  text: `
insert into sluice_server.session (hash, account, created_at, seen_at, address)
select $1, a.name, sluice.now(), sluice.now(), $3
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
}

/** False when the account is shut out, or its password is another one by now. */
export async function beginSession(db: Queryable, { hash, account, address, stored }: NewSession): Promise<boolean> {
  return (await db.query(BEGIN_SESSION, [hash, account, address, stored])).length > 0;
}

export interface SessionRow {
  readonly account: string;
  readonly role: Role;
  /** Seconds since it was last seen; written down again only now and then. */
  readonly unseen: number;
}

const FIND_SESSION: Statement = {
  name: "session-find",
  text: `
select s.account, a.role, extract(epoch from sluice.now() - s.seen_at)::float8 as unseen
from sluice_server.session s
join sluice_server.account a on a.name = s.account
where s.hash = $1 and a.disabled_at is null
  and s.seen_at > sluice.now() - $2 * interval '1 millisecond' and s.created_at > sluice.now() - $3 * interval '1 millisecond'`,
};

export async function findSession(
  db: Queryable,
  hash: string,
  limits: { readonly idleMs: number; readonly wholeMs: number },
): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow>(FIND_SESSION, [hash, limits.idleMs, limits.wholeMs]);
  return row;
}

const SEE_SESSION: Statement = {
  name: "session-see",
  text: `update sluice_server.session set seen_at = sluice.now() where hash = $1`,
};

export async function seeSession(db: Queryable, hash: string): Promise<void> {
  await db.query(SEE_SESSION, [hash]);
}

const END_SESSIONS: Statement = {
  name: "session-end",
  text: `delete from sluice_server.session where hash = $1 or account = $2`,
};

/** One of them, or all of an account. */
export async function endSessions(
  db: Queryable,
  which: { readonly hash: string } | { readonly account: string },
): Promise<void> {
  await db.query(END_SESSIONS, "hash" in which ? [which.hash, null] : [null, which.account]);
}
