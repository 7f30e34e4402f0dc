// What only one of several servers does at a time: sending alerts, writing the log of transitions. Held for a while and held on to
// by asking again in time; when its holder dies, the next one to ask has it.

import type { Queryable, Statement } from "../../engine/index.ts";

const HOLD: Statement = {
  name: "server-duty-hold",
  text: `
insert into sluice_server.duty as d (name, holder, until)
values ($1, $2, sluice.now() + $3::float8 * interval '1 millisecond')
on conflict (name) do update
set holder = excluded.holder, until = excluded.until
-- After a clock that jumped back "until" may lie far in the future; more than two terms ahead is not believed.
where d.holder = excluded.holder or d.until <= sluice.now() or d.until > sluice.now() + 2 * $3::float8 * interval '1 millisecond'
returning d.name`,
};

/** True for the one that has it now, for `forMs` from now. `holder` is a name that nobody else uses. */
export async function holdDuty(db: Queryable, name: string, holder: string, forMs: number): Promise<boolean> {
  return (await db.query(HOLD, [name, holder, forMs])).length === 1;
}

const LET_GO: Statement = {
  name: "server-duty-let-go",
  text: "delete from sluice_server.duty where name = $1 and holder = $2",
};

/** Before it stops, so that another need not wait for the end of the term. */
export async function letGoOfDuty(db: Queryable, name: string, holder: string): Promise<void> {
  await db.query(LET_GO, [name, holder]);
}
