// What each server sees of its own disks: whoever has the duty judges them all, so that nothing changes when the duty moves.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { DiskFacts, DiskSpace } from "./cause.ts";

const REPORT: Statement = {
  name: "disk-report",
  text: `
insert into sluice_server.disks as d (server, host, disks, seen_at)
values ($1, $2, $3::text::jsonb, sluice.now())
on conflict (server) do update
set host = excluded.host, disks = excluded.disks, seen_at = excluded.seen_at`,
};

export async function reportDisks(
  db: Queryable,
  server: string,
  host: string,
  disks: readonly DiskSpace[],
): Promise<void> {
  await db.query(REPORT, [server, host, JSON.stringify(disks)]);
}

// Servers report four times a minute; who has not for so long is gone, and its disks are nobody's.
const REPORTED: Statement = {
  name: "disk-reported",
  text: `
select host, disks
from sluice_server.disks
where seen_at > sluice.now() - interval '2 minutes'
order by seen_at desc, server
limit 1000`,
};

/** Of several servers on one host the newest word about a path counts. */
export async function reportedDisks(db: Queryable): Promise<DiskFacts[]> {
  const rows = await db.query<{ host: string; disks: readonly DiskSpace[] }>(REPORTED, []);
  const all = rows.flatMap(({ host, disks }) => disks.map((disk) => ({ ...disk, host })));
  return [...Map.groupBy(all, ({ host, path }) => `${host}:${path}`).values()].flatMap((same) => same.slice(0, 1));
}

const FORGET: Statement = {
  name: "disk-forget",
  text: "delete from sluice_server.disks where seen_at < sluice.now() - interval '1 day'",
};

export async function forgetDisks(db: Queryable): Promise<void> {
  await db.query(FORGET, []);
}
