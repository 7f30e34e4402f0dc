// Values by name. What a value has to look like is the business of whoever reads it.

import type { Queryable, Statement } from "../../engine/index.ts";

const READ: Statement = {
  name: "server-settings",
  text: "select name, value from sluice_server.setting where $1::text[] is null or name = any ($1) order by name",
};

/** All of them, or those with these names. */
export async function readSettings(db: Queryable, names?: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db.query<{ name: string; value: unknown }>(READ, [names ?? null]);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

const AGE: Statement = {
  name: "server-setting-age",
  text: `
select (extract(epoch from sluice.now() - changed_at) * 1000)::float8 as ms from sluice_server.setting where name = $1`,
};

/** Milliseconds since it was last written. */
export async function settingAge(db: Queryable, name: string): Promise<number> {
  const [row] = await db.query<{ ms: number }>(AGE, [name]);
  return row?.ms ?? 0;
}

const WRITE: Statement = {
  name: "server-setting-write",
  text: `
insert into sluice_server.setting as s (name, value, changed_at, changed_by)
values ($1, $2::text::jsonb, sluice.now(), $3)
on conflict (name) do update
set value = excluded.value, changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
};

export async function writeSetting(db: Queryable, name: string, value: unknown, by: string): Promise<void> {
  await db.query(WRITE, [name, JSON.stringify(value), by]);
}

const FORGET: Statement = {
  name: "server-setting-forget",
  text: "delete from sluice_server.setting where name = $1",
};

/** The default is in force again. */
export async function forgetSetting(db: Queryable, name: string): Promise<void> {
  await db.query(FORGET, [name]);
}
