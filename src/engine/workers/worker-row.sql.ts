// The worker's own row: who it is, its beat, and who is thought dead.

import type { Queryable, Statement } from "../db/database.ts";

export interface Identity {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly pidStarted: string;
}

export interface WorkerRow {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly pid_started: string;
  readonly epoch: string;
  readonly beat: string;
  readonly backend_pid: number | null;
  /** False when its beat came over a direct connection and that connection is gone. Null where that cannot be known. */
  readonly connected: boolean | null;
}

const ENTER: Statement = {
  name: "worker-enter",
  text: `
insert into sluice.worker (name, host, pid, pid_started, epoch, pipelines, services, stages, started_at)
values ($1, $2, $3, $4, $5, $6::int[], $7::text[], $8::text[], sluice.now())
returning id`,
};

export async function enterWorker(
  db: Queryable,
  who: Identity,
  epoch: string,
  pipelines: readonly number[],
  services: readonly string[] = [],
  /** Null for all of them. */
  stages: readonly string[] | null = null,
): Promise<string> {
  const values = [who.name, who.host, who.pid, who.pidStarted, epoch, pipelines, services, stages];
  const [row] = await db.query<{ id: string }>(ENTER, values);
  return (row as { id: string }).id;
}

const BEAT: Statement = {
  name: "worker-beat",
  text: `
with seen as (select generation from sluice.valve_clock)
update sluice.worker w
set beat = w.beat + 1, seen_at = sluice.now(), valve_generation = greatest(w.valve_generation, $2::bigint), backend_pid = $3::int,
  invites = $4::int, lanes = coalesce($5::int[], w.lanes)
from seen
where w.epoch = $1 and w.state = 0
returning seen.generation`,
};

/** How much a worker may be handed that it did not ask for. */
export interface Invitation {
  readonly items: number;
  /** All it serves without asking anybody: nothing that is as urgent may wait in them. Null: as before. */
  readonly lanes: readonly number[] | null;
}

export const NO_INVITATION: Invitation = { items: 0, lanes: null };

/** Null when somebody has marked this worker dead; else the newest generation of the valves. */
export async function beat(
  db: Queryable,
  epoch: string,
  acknowledgedGeneration: string,
  backendPid: number | null,
  { items, lanes }: Invitation = NO_INVITATION,
): Promise<string | null> {
  const values = [epoch, acknowledgedGeneration, backendPid, items, lanes];
  const [row] = await db.query<{ generation: string }>(BEAT, values);
  return row?.generation ?? null;
}

const WITHDRAW: Statement = {
  name: "worker-withdraw",
  text: `update sluice.worker set invites = 0 where epoch = $1`,
};

/** Nothing is handed to it from then on. Waits for the one who is just handing something over. */
export async function withdrawInvitation(db: Queryable, epoch: string): Promise<void> {
  await db.query(WITHDRAW, [epoch]);
}

const ALIVE: Statement = {
  name: "workers-alive",
  text: `
select w.id, w.name, w.host, w.pid, w.pid_started, w.epoch, w.beat, w.backend_pid,
  case when w.backend_pid is not null then exists (
    select from pg_stat_activity a where a.pid = w.backend_pid and a.application_name = 'sluice beat') end as connected
from sluice.worker w
where w.state = 0
order by w.id`,
};

export async function aliveWorkers(db: Queryable): Promise<WorkerRow[]> {
  return await db.query<WorkerRow>(ALIVE, []);
}

const MARK_DEAD: Statement = {
  name: "worker-mark-dead",
  text: `
with marked as (
  update sluice.worker set state = 2, ended_at = sluice.now()
  where epoch = $1 and beat = $2 and state = 0
  returning epoch, name
)
insert into sluice.journal (at, epoch, kind, code, message)
select sluice.now(), epoch, 31, 'DEAD', name from marked
returning epoch`,
};

/** Compare-and-set on the beat: a worker that beats once more meanwhile is alive. True for the one caller who did it. */
export async function markDead(db: Queryable, epoch: string, lastBeat: string): Promise<boolean> {
  const rows = await db.query(MARK_DEAD, [epoch, lastBeat]);
  return rows.length === 1;
}

const LEAVE: Statement = {
  name: "worker-leave",
  text: `update sluice.worker set state = 1, ended_at = sluice.now() where epoch = $1 and state = 0`,
};

export async function leaveWorker(db: Queryable, epoch: string): Promise<void> {
  await db.query(LEAVE, [epoch]);
}

// "limit 1" keeps each a probe of the index. Those who still hold something come first: nobody's death may wait behind
// those of a hundred others whose rows were taken back long ago.
const UNCLEARED: Statement = {
  name: "workers-uncleared",
  text: `
select w.epoch, held.id is not null as holds
from sluice.worker w
left join lateral (
  select r.id
  from sluice.lane l
  cross join lateral (select id from sluice.run where lane = l.id and epoch = w.epoch and state <> 0 limit 1) r
  limit 1
) held on true
where w.state <> 0 and w.cleared_at is null
  -- No statement it had under way can still commit after that: the statement timeout is far shorter.
  and (held.id is not null or w.ended_at < sluice.now() - interval '1 minute')
order by held.id is null, w.id
limit 100`,
};

export interface Departed {
  readonly epoch: string;
  /** False when all it held was taken back, and nothing can follow. */
  readonly holds: boolean;
}

/** Workers that are gone and have something left to be taken back, or have been seen to have nothing. */
export async function departedWorkers(db: Queryable): Promise<Departed[]> {
  return await db.query<Departed>(UNCLEARED, []);
}

const CLEAR: Statement = {
  name: "worker-clear",
  text: `update sluice.worker set cleared_at = sluice.now() where epoch = $1 and state <> 0 and cleared_at is null`,
};

export async function markCleared(db: Queryable, epoch: string): Promise<void> {
  await db.query(CLEAR, [epoch]);
}
