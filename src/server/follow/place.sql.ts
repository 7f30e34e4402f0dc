// How far the one who follows has come. Only the one who has the duty writes it: whoever was paused for longer than a term comes back
// behind another, and would set the place back.

import type { Queryable, Statement } from "../../engine/index.ts";

const SAVE: Statement = {
  name: "server-follow-place",
  text: `
insert into sluice_server.setting as s (name, value, changed_at, changed_by)
select $1, to_jsonb($2::text), sluice.now(), 'server'
where exists (
  select from sluice_server.duty d
  where d.name = $3 and d.holder = $4
  -- So that nobody takes it over in between.
  for share)
on conflict (name) do update
set value = excluded.value, changed_at = excluded.changed_at, changed_by = excluded.changed_by
returning s.name`,
};

export interface Place {
  readonly setting: string;
  readonly cursor: string;
  readonly duty: string;
  readonly holder: string;
}

/** False where the duty is another's by now. */
export async function savePlace(db: Queryable, { setting, cursor, duty, holder }: Place): Promise<boolean> {
  return (await db.query(SAVE, [setting, cursor, duty, holder])).length === 1;
}
