// Where the checks look: tables of any size are looked at in windows, and what was found broken is looked at again.

import type { Queryable, Statement } from "../db/database.ts";
import type { WindowOf } from "./checks.sql.ts";

export interface LookRow extends Readonly<Record<WindowOf, string>> {
  /** Rises by one every ten minutes. */
  readonly turn: string;
}

const LOOK: Statement = {
  name: "check-look",
  text: `
select coalesce((select max(id) from sluice.item), 0)::text as item, coalesce((select max(id) from sluice.run), 0)::text as run,
  coalesce((select max(id) from sluice.request), 0)::text as request,
  floor(extract(epoch from sluice.now()) / 600)::bigint::text as turn`,
};

/** The newest id of each table that is looked at in windows, and whose turn it is. */
export async function whereToLook(db: Queryable): Promise<LookRow> {
  const [row] = await db.query<LookRow>(LOOK, []);
  return row ?? { item: "0", run: "0", request: "0", turn: "0" };
}

export interface BrokenRow {
  readonly name: string;
  readonly since: Date;
  readonly place: string;
}

const BROKEN: Statement = { name: "broken-checks", text: `select name, since, place from sluice.broken_check` };

/** What was found broken before, and where. */
export async function knownBroken(db: Queryable): Promise<BrokenRow[]> {
  return await db.query<BrokenRow>(BROKEN, []);
}
