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

const TAKE_SETUP: Statement = {
  name: "setup-take",
  text: `delete from sluice_server.setup where hash = $1 and created_at > sluice.now() - $2 * interval '1 millisecond' returning one`,
};

export async function takeSetup(db: Queryable, hash: string, lastsMs: number): Promise<boolean> {
  return (await db.query(TAKE_SETUP, [hash, lastsMs])).length > 0;
}
