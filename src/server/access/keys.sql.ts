// Keys for programs, found by their hash.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { ListPage } from "../list-page.ts";
import type { Role, Scope } from "./principal.ts";

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly scopes: readonly Scope[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly used_at: Date | null;
  readonly revoked_at: Date | null;
}

const keyColumns = "id, name, account, scopes, created_at, expires_at, used_at, revoked_at";

const ADD_KEY: Statement = {
  name: "key-add",
  text: `
insert into sluice_server.api_key (hash, name, account, scopes, created_at, expires_at)
values ($1, $2, $3, $4::text[], sluice.now(), sluice.now() + $5::float8 * interval '1 millisecond')
on conflict (account, name) where revoked_at is null do nothing
returning ${keyColumns}`,
};

export interface NewKey {
  readonly hash: string;
  readonly name: string;
  readonly account: string;
  readonly scopes: readonly Scope[];
  readonly lastsMs: number | null;
}

/** Undefined when the account has one of that name. */
export async function addKey(db: Queryable, key: NewKey): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(ADD_KEY, [key.hash, key.name, key.account, key.scopes, key.lastsMs]);
  return row;
}

export interface FoundKey {
  readonly id: string;
  readonly account: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** Seconds since it was last used; written down again only now and then. */
  readonly unseen: number;
}

const FIND_KEY: Statement = {
  name: "key-find",
  text: `
select k.account, a.role, k.scopes, k.id, coalesce(extract(epoch from sluice.now() - k.used_at), 1e9)::float8 as unseen
from sluice_server.api_key k
join sluice_server.account a on a.name = k.account
where k.hash = $1 and a.disabled_at is null and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > sluice.now())`,
};

export async function findKey(db: Queryable, hash: string): Promise<FoundKey | undefined> {
  const [row] = await db.query<FoundKey>(FIND_KEY, [hash]);
  return row;
}

const USE_KEY: Statement = {
  name: "key-use",
  text: `update sluice_server.api_key set used_at = sluice.now() where id = $1`,
};

export async function useKey(db: Queryable, id: string): Promise<void> {
  await db.query(USE_KEY, [id]);
}

const LIST_KEYS: Statement = {
  name: "key-list",
  text: `
select ${keyColumns} from sluice_server.api_key
where account = coalesce($1, account) and ($2::bigint is null or id < $2) order by id desc limit $3`,
};

/** Newest first, after the id that was seen last; of one account, or of all where that is null. */
export async function listKeys(db: Queryable, account: string | null, { after, limit }: ListPage): Promise<KeyRow[]> {
  return await db.query<KeyRow>(LIST_KEYS, [account, after ?? null, limit]);
}

const REVOKE_KEY: Statement = {
  name: "key-revoke",
  text: `
update sluice_server.api_key set revoked_at = sluice.now()
where id = $1 and account = coalesce($2, account) and revoked_at is null
returning id`,
};

export async function revokeKey(db: Queryable, id: string, account: string | null): Promise<boolean> {
  return (await db.query(REVOKE_KEY, [id, account])).length > 0;
}
