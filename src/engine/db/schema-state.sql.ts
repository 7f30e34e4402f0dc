// Which schema a database says it has.

import type { Queryable, Statement } from "./database.ts";
import type { SchemaState } from "./schema-state.ts";

const HAS_SCHEMA: Statement = {
  name: "has-schema",
  text: `select to_regclass('sluice.setting') is not null as found`,
};

const SCHEMA_STATE: Statement = {
  name: "schema-state",
  text: `select value from sluice.setting where name = 'schema'`,
};

/** Undefined where nothing was migrated yet. */
export async function schemaState(db: Queryable): Promise<SchemaState | undefined> {
  const [has] = await db.query<{ found: boolean }>(HAS_SCHEMA, []);
  if (has?.found !== true) return undefined;
  const [row] = await db.query<{ value: SchemaState }>(SCHEMA_STATE, []);
  return row?.value;
}
