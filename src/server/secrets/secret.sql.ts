// Sealed secrets by name.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { Sealed } from "./seal.ts";

export interface SecretRow {
  readonly name: string;
  readonly key_id: string;
  readonly nonce: string;
  readonly box: string;
}

const WRITE: Statement = {
  name: "secret-write",
  text: `
insert into sluice_server.secret as s (name, key_id, nonce, box, changed_at)
values ($1, $2, $3, $4, sluice.now())
on conflict (name) do update
set key_id = excluded.key_id, nonce = excluded.nonce, box = excluded.box, changed_at = excluded.changed_at`,
};

export async function writeSecret(db: Queryable, name: string, { keyId, nonce, box }: Sealed): Promise<void> {
  await db.query(WRITE, [name, keyId, nonce, box]);
}

const READ: Statement = {
  name: "secret-read",
  text: "select name, key_id, nonce, box from sluice_server.secret where name = $1",
};

export async function readSecret(db: Queryable, name: string): Promise<SecretRow | undefined> {
  const [row] = await db.query<SecretRow>(READ, [name]);
  return row;
}

const LIST: Statement = {
  name: "secret-list",
  text: "select name, key_id, nonce, box from sluice_server.secret order by name limit 10000",
};

export async function listSecrets(db: Queryable): Promise<SecretRow[]> {
  return await db.query<SecretRow>(LIST, []);
}

const RESEAL: Statement = {
  name: "secret-reseal",
  text: `
update sluice_server.secret set key_id = $3, nonce = $4, box = $5
where name = $1 and nonce = $2
returning name`,
};

/** False when somebody has set it anew meanwhile. */
export async function replaceSealed(db: Queryable, row: SecretRow, { keyId, nonce, box }: Sealed): Promise<boolean> {
  return (await db.query(RESEAL, [row.name, row.nonce, keyId, nonce, box])).length === 1;
}

const FORGET: Statement = { name: "secret-forget", text: "delete from sluice_server.secret where name = $1" };

export async function forgetSecret(db: Queryable, name: string): Promise<void> {
  await db.query(FORGET, [name]);
}
