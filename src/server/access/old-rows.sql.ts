// What nobody can use or wants to see any more.

import type { Queryable, Statement } from "../../engine/index.ts";

/** At once; the rest goes with the next round. */
const MOST = 10_000;
const before = (parameter: string) => `sluice.now() - ${parameter}::float8 * interval '1 millisecond'`;

const SESSIONS: Statement = {
  name: "old-sessions",
  text: `
delete from sluice_server.session where id in (
  select id from sluice_server.session where seen_at <= ${before("$1")} or created_at <= ${before("$2")} limit ${MOST})`,
};

const SETUPS: Statement = {
  name: "old-setups",
  text: `
delete from sluice_server.setup where created_at <= ${before("$1")} or exists (select from sluice_server.account)`,
};

const KEYS: Statement = {
  name: "old-keys",
  text: `
delete from sluice_server.api_key where id in (
  select id from sluice_server.api_key where revoked_at <= ${before("$1")} or expires_at <= ${before("$1")} limit ${MOST})`,
};

const AUDIT: Statement = {
  name: "old-audit",
  text: `
delete from sluice_server.audit where id in (
  select id from sluice_server.audit where at <= ${before("$1")} order by at limit ${MOST})`,
};

/** In milliseconds. */
export interface KeptFor {
  readonly session: { readonly idleMs: number; readonly wholeMs: number };
  readonly setupMs: number;
  /** After it was revoked, or its time was over. */
  readonly deadKeyMs: number;
  readonly auditMs: number;
}

export async function removeOldRows(db: Queryable, kept: KeptFor): Promise<void> {
  await db.query(SESSIONS, [kept.session.idleMs, kept.session.wholeMs]);
  await db.query(SETUPS, [kept.setupMs]);
  await db.query(KEYS, [kept.deadKeyMs]);
  await db.query(AUDIT, [kept.auditMs]);
}
