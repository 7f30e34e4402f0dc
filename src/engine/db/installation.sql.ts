// A name of this database, made once. It stands in every idempotency key: several installations may share a service, and
// none may clean up what another one started. A restored backup keeps it, so what was started after the backup is ours.

import type { Random } from "../../kit/index.ts";
import type { Queryable, Statement } from "./database.ts";

const NAME: Statement = {
  name: "installation",
  text: `
with made as (
  insert into sluice.setting (name, value) values ('installation', to_jsonb($1::text))
  on conflict (name) do nothing
  returning value
)
select coalesce((select value from made), (select value from sluice.setting where name = 'installation')) #>> '{}' as name`,
};

export async function installationName(db: Queryable, random: Random): Promise<string> {
  const made = (BigInt(random.token()) % 36n ** 6n).toString(36).padStart(6, "0");
  const [row] = await db.query<{ name: string | null }>(NAME, [made]);
  // Null when somebody else made it in the same moment, after our look and before our write.
  return row?.name ?? (await installationName(db, random));
}
