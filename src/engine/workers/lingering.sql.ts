// Sessions that a dead worker left behind in the middle of a transaction. Where the network does not say that the client
// is gone, the server goes on believing in it and keeps its locks until a limit ends them; what is locked cannot be taken
// back.

import type { Queryable, Statement } from "../db/database.ts";

// Only those that wait for their client: what a statement under way still brings about is over in a moment by itself.
// (Twice the same name would need the same process; a worker that was only slow finds its commit unknown, and asks.)
const END_LINGERING: Statement = {
  name: "end-lingering",
  text: `
select pg_terminate_backend(a.pid, 500) as ended
from sluice.worker w
join pg_stat_activity a on a.application_name = 'sluice ' || left(encode(
  sha256(convert_to(w.host || ' ' || w.pid || ' ' || w.pid_started, 'UTF8')), 'hex'), 16)
where w.epoch = $1 and w.state = 2 and a.state like 'idle in transaction%'
  and a.datname = current_database() and a.usename = current_user and a.pid <> pg_backend_pid()`,
};

/** How many were ended. */
export async function endLingering(db: Queryable, deadEpoch: string): Promise<number> {
  const rows = await db.query<{ ended: boolean }>(END_LINGERING, [deadEpoch]);
  return rows.filter((row) => row.ended).length;
}
