// Workers that are gone without a goodbye, and whose place nobody has taken.

import type { Queryable, Statement } from "../db/database.ts";

export interface GoneWorkerRow {
  readonly name: string;
  readonly pipelines: readonly string[];
  readonly services: readonly string[];
  readonly ended_at: Date;
}

// A life may begin a little before the last one was noticed to be over.
const cameAfter = "n.id > w.id and n.started_at > w.ended_at - interval '1 minute'";
const pipelinesOf = (worker: string) => `select p.name from sluice.pipeline p where p.id = any (${worker}.pipelines)`;

// Dead and not back: no later life under its name, and none under other names that has all of its work by now, as a container
// that was made anew has. Who was there beside it before replaces nobody. By name: a new release brings new versions.
const GONE: Statement = {
  name: "pulse-gone-workers",
  text: `
select w.name, array(select distinct own.name from (${pipelinesOf("w")}) own order by own.name) as pipelines, w.services, w.ended_at
from sluice.worker w
where w.state = 2 and w.ended_at > sluice.now() - interval '7 days'
  and not exists (select from sluice.worker n where n.name = w.name and ${cameAfter})
  and (
    exists (
      select from (${pipelinesOf("w")}) own
      where not exists (
        select from sluice.worker n join sluice.pipeline p on p.id = any (n.pipelines)
        where n.state = 0 and ${cameAfter} and p.name = own.name))
    or exists (
      select from unnest(w.services) own (name)
      where not exists (select from sluice.worker n where n.state = 0 and ${cameAfter} and own.name = any (n.services)))
    or w.pipelines = '{}')
order by w.ended_at desc
limit 200`,
};

export async function goneWorkers(db: Queryable): Promise<GoneWorkerRow[]> {
  return await db.query<GoneWorkerRow>(GONE, []);
}
