// What a worker's former life left behind, and what became of it. Read for people; nothing is decided by it.

import type { Queryable, Statement } from "../db/database.ts";
import type { WorkerRow } from "../workers/worker-row.sql.ts";

export interface FormerRow extends WorkerRow {
  /** 0 not known to be gone, 1 left in order, 2 found dead. */
  readonly state: number;
  /** Since it was last heard of. */
  readonly away_ms: number;
}

const FORMER: Statement = {
  name: "worker-former",
  text: `
select id, name, host, pid, pid_started, epoch, beat, backend_pid, null::boolean as connected, state,
  extract(epoch from sluice.now() - coalesce(case when state = 1 then ended_at end, seen_at, started_at))::float8 * 1000 as away_ms
from sluice.worker
where name = $1
order by id desc
limit 10`,
};

/** Lives of that name, the newest first. */
export async function formerLives(db: Queryable, name: string): Promise<FormerRow[]> {
  return await db.query<FormerRow>(FORMER, [name]);
}

export interface LeftItem {
  readonly id: string;
  readonly version: number;
  /** It has noted how far it had come in the stage it is in. */
  readonly has_checkpoint: boolean;
}

const LEFT: Statement = {
  name: "worker-left",
  text: `
select r.id, r.version, c.run_id is not null as has_checkpoint
from sluice.lane l
join sluice.run r on r.lane = l.id and r.epoch = $1 and r.state = 1
left join sluice.checkpoint c on c.run_id = r.id and c.stage = r.stage
order by r.id
limit $2`,
};

export async function leftBehind(db: Queryable, epoch: string, most: number): Promise<LeftItem[]> {
  return await db.query<LeftItem>(LEFT, [epoch, most]);
}

const STANDING: Statement = {
  name: "worker-left-standing",
  text: `
select u.id
from unnest($1::bigint[], $2::int[]) u (id, version)
join sluice.run r on r.id = u.id
-- Being taken back moves it on by one; whoever begins it again moves it further.
where r.version <= u.version + 1`,
};

/** Which of these nobody has begun again. */
export async function stillStanding(db: Queryable, left: readonly LeftItem[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(STANDING, [left.map(({ id }) => id), left.map(({ version }) => version)]);
  return new Set(rows.map(({ id }) => id));
}

const STATE: Statement = { name: "worker-state", text: "select state from sluice.worker where epoch = $1" };

export async function lifeState(db: Queryable, epoch: string): Promise<number | undefined> {
  const [row] = await db.query<{ state: number }>(STATE, [epoch]);
  return row?.state;
}
