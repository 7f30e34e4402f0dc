// The link of the first start: whoever has it makes the first account.

import type { Queryable, Statement } from "../../engine/index.ts";

const OFFER_SETUP: Statement = {
  name: "setup-offer",
  text: `
insert into sluice_server.setup (hash, created_at)
select $1, sluice.now() where not exists (select from sluice_server.account)
on conflict (one) do update set hash = excluded.hash, created_at = excluded.created_at
returning one`,
};

/** A new link takes the place of the last. False when there is somebody already. */
export async function offerSetup(db: Queryable, hash: string): Promise<boolean> {
  return (await db.query(OFFER_SETUP, [hash])).length > 0;
}

const isGood = `hash = $1 and created_at > sluice.now() - $2 * interval '1 millisecond'
  and not exists (select from sluice_server.account)`;

const KNOW_SETUP: Statement = { name: "setup-know", text: `select one from sluice_server.setup where ${isGood}` };

/** Looked at before anything is made of it: hashing a password is dear, and anybody may ask. */
export async function isSetup(db: Queryable, hash: string, lastsMs: number): Promise<boolean> {
  return (await db.query(KNOW_SETUP, [hash, lastsMs])).length > 0;
}

const TURN: Statement = { name: "setup-turn", text: "lock table sluice_server.setup in share row exclusive mode" };

/** Offered and taken one after the other: or a link could be offered while the first account is being made. */
export async function takeSetupTurn(tx: Queryable): Promise<void> {
  await tx.query(TURN, []);
}

const TAKE_SETUP: Statement = {
  name: "setup-take",
  text: `delete from sluice_server.setup where ${isGood} returning one`,
};

export async function takeSetup(db: Queryable, hash: string, lastsMs: number): Promise<boolean> {
  return (await db.query(TAKE_SETUP, [hash, lastsMs])).length > 0;
}
