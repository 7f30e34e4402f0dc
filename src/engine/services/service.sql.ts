// Services as the database knows them: one row each. Everything that judges it compares the row's version; grants of a rate
// are a column of their own, written under the row's lock, and leave the version alone.

import type { Queryable, Statement } from "../db/database.ts";
import type { ServiceRules } from "../pipeline/service.ts";
import type { Health, Judged, RecentCall } from "./breaker.ts";
import type { Grant } from "./rate.ts";

export interface ServiceRow {
  readonly name: string;
  readonly version: string;
  /** Milliseconds since 1970 by the database's clock, as all times here. */
  readonly now: number;
  readonly is_open: boolean;
  readonly recent: readonly RecentCall[];
  readonly changed_at: number;
  readonly probe_at: number | null;
  readonly probe_epoch: string | null;
  readonly probe_until: number | null;
  readonly ramp: number | null;
  readonly ramp_left: number | null;
  readonly busy_until: number | null;
  readonly grants: readonly Grant[];
  readonly capacity: number | null;
  readonly limit_count: number | null;
  readonly limit_ms: number | null;
  readonly code: string | null;
  readonly message: string | null;
}

const ms = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;

export const serviceColumns = `s.name, s.version, ${ms("sluice.now()")} as now, s.is_open, s.recent,
  ${ms("s.changed_at")} as changed_at, ${ms("s.probe_at")} as probe_at, s.probe_epoch, ${ms("s.probe_until")} as probe_until,
  s.ramp, s.ramp_left, ${ms("s.busy_until")} as busy_until, s.grants, s.capacity, s.limit_count, s.limit_ms, s.code, s.message`;

const REGISTER: Statement = {
  name: "register-service",
  text: `
insert into sluice.service as s (name, changed_at, resumed_at, capacity, limit_count, limit_ms)
values ($1, sluice.now(), sluice.now(), $2, $3, $4)
on conflict (name) do update
set capacity = excluded.capacity, limit_count = excluded.limit_count, limit_ms = excluded.limit_ms
where (s.capacity, s.limit_count, s.limit_ms) is distinct from (excluded.capacity, excluded.limit_count, excluded.limit_ms)`,
};

/** The rules of the process that started last hold for everybody. */
export async function registerService(db: Queryable, name: string, rules: ServiceRules): Promise<void> {
  const { capacity, limit } = rules;
  const [known] = await readServices(db, [name]);
  const isSame =
    known?.capacity === capacity &&
    known.limit_count === (limit?.count ?? null) &&
    known.limit_ms === (limit?.perMs ?? null);
  // An upsert waits for everybody who is just claiming from its lanes.
  if (!isSame) await db.query(REGISTER, [name, capacity, limit?.count ?? null, limit?.perMs ?? null]);
}

const READ: Statement = {
  name: "read-services",
  text: `select ${serviceColumns} from sluice.service s where s.name = any ($1::text[]) order by s.name`,
};

export async function readServices(db: Queryable, names: readonly string[]): Promise<ServiceRow[]> {
  return await db.query<ServiceRow>(READ, [names]);
}

const LIST: Statement = {
  name: "list-services",
  text: `select ${serviceColumns} from sluice.service s order by s.name limit 1000`,
};

export async function listServices(db: Queryable): Promise<ServiceRow[]> {
  return await db.query<ServiceRow>(LIST, []);
}

export function healthOf(row: ServiceRow): Health {
  const { ramp, ramp_left: left, probe_epoch: epoch, probe_until: until } = row;
  return {
    isOpen: row.is_open,
    recent: row.recent,
    changedAt: row.changed_at,
    probeAt: row.probe_at,
    probe: epoch === null || until === null ? null : { epoch, until },
    ramp: ramp === null || left === null ? null : { most: ramp, left },
    busyUntil: row.busy_until,
    code: row.code,
    message: row.message,
  };
}

const time = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;

// Whatever waits behind it, opening writes four rows: the service, its valve, the valves' clock, the journal. Lock order:
// service, valves' clock, valve.
const SAVE: Statement = {
  name: "save-service",
  text: `
with saved as (
  update sluice.service s
  set version = s.version + 1, is_open = $3, recent = $4::text::jsonb,
    changed_at = case when $5::boolean then ${time("$6")} else s.changed_at end,
    resumed_at = case when $5::boolean and not $3 then ${time("$6")} else s.resumed_at end,
    probe_at = ${time("$7")}, probe_epoch = $8::bigint, probe_until = ${time("$9")}, ramp = $10, ramp_left = $11,
    busy_until = ${time("$12")}, code = $13, message = $14
  where s.name = $1 and s.version = $2
  returning s.name, s.is_open, s.code, s.message
),
tick as (
  update sluice.valve_clock set generation = generation + 1
  where $5::boolean and exists (select from saved)
  returning generation
),
valve as (
  insert into sluice.valve as v (kind, service, closed, generation, changed_at, note)
  select 'breaker', saved.name, saved.is_open, tick.generation, ${time("$6")}, saved.message from saved cross join tick
  on conflict (kind, pipeline, version, stage, service) do update
  set closed = excluded.closed, generation = excluded.generation, changed_at = excluded.changed_at, note = excluded.note
),
journal as (
  insert into sluice.journal (at, kind, code, reason, message, output)
  select ${time("$6")}, 32, coalesce(saved.code, case when saved.is_open then 'OPENED' else 'CLOSED' end),
    case when saved.is_open then 'opened' else 'closed' end, saved.message, jsonb_build_object('service', saved.name)
  from saved cross join tick
)
select name from saved`,
};

/** False when somebody else has written since it was read: read and judge again. */
export async function saveService(db: Queryable, row: ServiceRow, { health, turned }: Judged): Promise<boolean> {
  const { probe, ramp } = health;
  const saved = await db.query(SAVE, [
    row.name,
    row.version,
    health.isOpen,
    JSON.stringify(health.recent),
    turned !== null,
    health.changedAt,
    health.probeAt,
    probe?.epoch ?? null,
    probe?.until ?? null,
    ramp?.most ?? null,
    ramp?.left ?? null,
    health.busyUntil,
    health.code,
    health.message,
  ]);
  return saved.length === 1;
}

// A lease whose holder is known to be dead is free at once; one that merely runs long ends by its time. Only an open breaker
// has a time for its probe.
const TAKE_PROBE: Statement = {
  name: "take-probe",
  text: `
update sluice.service s
set version = s.version + 1, probe_epoch = $2, probe_until = sluice.now() + $3::float8 * interval '1 millisecond'
where s.name = $1 and s.probe_at <= sluice.now()
  and (s.probe_epoch is null or s.probe_until <= sluice.now() or $4::boolean and s.probe_epoch = $2
    or not exists (select from sluice.worker w where w.epoch = s.probe_epoch and w.state = 0))
  and exists (select from sluice.worker w where w.epoch = $2 and w.state = 0)
returning s.name`,
};

/** True for the one who may probe now. `mayBeOurs`: we asked before, and never learnt what came of it. */
export async function takeProbe(
  db: Queryable,
  name: string,
  epoch: string,
  leaseMs: number,
  mayBeOurs = false,
): Promise<boolean> {
  const rows = await db.query(TAKE_PROBE, [name, epoch, leaseMs, mayBeOurs]);
  return rows.length === 1;
}

const CHECK_NOW: Statement = {
  name: "check-service",
  text: `
with moved as (
  update sluice.service s
  set version = s.version + 1, probe_at = sluice.now()
  where s.name = $1 and s.is_open
  returning s.name
),
audit as (
  insert into sluice.audit (at, actor, action, detail)
  select sluice.now(), $2, 'service.check', jsonb_build_object('service', name) from moved
)
select name from moved`,
};

/** Probes it as soon as somebody can. False when it is not open, or not known. */
export async function checkNow(db: Queryable, name: string, actor: string): Promise<boolean> {
  const rows = await db.query(CHECK_NOW, [name, actor]);
  return rows.length === 1;
}
