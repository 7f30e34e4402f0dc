// Accounts, found by their names.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { ListPage } from "../list-page.ts";
import type { Role } from "./principal.ts";

export interface AccountRow {
  readonly name: string;
  readonly role: Role;
  readonly password: string | null;
  readonly created_at: Date;
  readonly disabled_at: Date | null;
}

const accountColumns = "name, role, password, created_at, disabled_at";

const FIND: Statement = {
  name: "account-find",
  text: `select ${accountColumns} from sluice_server.account where name = $1`,
};

export async function findAccount(db: Queryable, name: string): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(FIND, [name]);
  return row;
}

const LIST: Statement = {
  name: "account-list",
  // By bytes, as names are made: the same order whatever the database's language.
  text: `
select ${accountColumns} from sluice_server.account
where $1::text is null or name > $1 collate "C" order by name collate "C" limit $2`,
};

/** By name, after the one that was seen last. */
export async function listAccounts(db: Queryable, { after, limit }: ListPage): Promise<AccountRow[]> {
  return await db.query<AccountRow>(LIST, [after ?? null, limit]);
}

const ADD: Statement = {
  name: "account-add",
  text: `
insert into sluice_server.account (name, role, password, created_at)
values ($1, $2, $3, sluice.now())
on conflict (name) do nothing
returning name`,
};

/** False when the name is taken, also by somebody who was shut out long ago. */
export async function addAccount(db: Queryable, name: string, role: Role, password: string | null): Promise<boolean> {
  return (await db.query(ADD, [name, role, password])).length > 0;
}

const OWNS: Statement = {
  name: "account-owns",
  text: `select from sluice.request_owner where owner = $1 limit 1`,
};

/** Whether anything was asked for in that name. */
export async function ownsRequests(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(OWNS, [name])).length > 0;
}

const CHANGE: Statement = {
  name: "account-change",
  text: `
update sluice_server.account
set role = coalesce($2, role), password = coalesce($3, password),
  disabled_at = case when $4::boolean then coalesce(disabled_at, sluice.now()) when $4::boolean is null then disabled_at end
where name = $1
  -- Somebody has to be left who can let others in.
  and (role <> 'admin' or coalesce($2, 'admin') = 'admin' and $4::boolean is not true
    or exists (select from sluice_server.account o where o.role = 'admin' and o.disabled_at is null and o.name <> $1))
returning name`,
};

export interface AccountChange {
  readonly role?: Role | undefined;
  readonly password?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** False when there is none of that name, or it is the last admin. Two who change at once are kept apart by `lockAccounts`. */
export async function changeAccount(db: Queryable, name: string, change: AccountChange): Promise<boolean> {
  const { role = null, password = null, disabled = null } = change;
  return (await db.query(CHANGE, [name, role, password, disabled])).length > 0;
}

const LOCK: Statement = {
  name: "account-lock",
  text: `select name from sluice_server.account where role = 'admin' order by name for update`,
};

/** Whoever takes rights away goes one after the other, or two admins could shut each other out. */
export async function lockAdmins(db: Queryable): Promise<void> {
  await db.query(LOCK, []);
}
