// Of some items, by their ids.

import type { Queryable, Statement } from "../db/database.ts";

export interface OriginRow {
  readonly id: string;
  readonly created_at: Date;
  readonly trace: string | null;
  readonly is_part: boolean;
}

const ORIGINS: Statement = {
  name: "origins",
  text: `
select i.id, i.created_at, i.trace, i.part is not null as is_part
from sluice.item i
where i.id = any ($1::bigint[])`,
};

export async function originsOf(db: Queryable, ids: readonly string[]): Promise<OriginRow[]> {
  return await db.query<OriginRow>(ORIGINS, [ids]);
}
