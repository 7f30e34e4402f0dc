// What is read from the database when a run is over, and a few looks at it meanwhile.

/** What the engine does by itself, such as removing jobs, is not what the client asked for, and is not judged as that. */
export const ITEMS = `
select i.id::text as id, i.request_id::text as request, p.name as pipeline, cardinality(p.stages) as stages, i.state, i.input,
  exists (select from sluice.run r where r.id = i.id) as "hasRun"
from sluice.item i
join sluice.pipeline p on p.id = i.pipeline_id
where p.name <> 'cleanup'
order by i.id`;

export const REQUESTS = `
select id::text as id, key, total, completed, failed, cancelled
from sluice.request q
where not exists (
  select from sluice.item i join sluice.pipeline p on p.id = i.pipeline_id
  where i.request_id = q.id and p.name = 'cleanup')
order by id`;

export const JOURNAL = `
select row_number() over (order by xid, seq)::int as "order", item_id::text as item, kind, version, epoch::text as epoch, stage,
  to_stage as "toStage", ended, attempt, series, code, message, date_part('epoch', at) * 1000 as at
from sluice.journal
where item_id in (
  select i.id from sluice.item i join sluice.pipeline p on p.id = i.pipeline_id
  where p.name <> 'cleanup')
order by xid, seq`;

export const LEDGER = `select item from chaos.ledger order by item`;

export const LIVES = `
select epoch::text as epoch, name, pid, date_part('epoch', started_at) * 1000 as "startedAt",
  date_part('epoch', ended_at) * 1000 as "endedAt"
from sluice.worker
order by id`;

/**
 * A removal of what may never have been started waits longer than any start could be under way, a minute and more. The
 * service's own memory says whether there is anything to remove, so the run does not wait with it.
 */
export const UNFINISHED = `
select (
  select count(*) from sluice.run r
  join sluice.item i on i.id = r.id
  join sluice.pipeline p on p.id = i.pipeline_id
  left join sluice.intent t on t.cleanup_id = i.id
  where p.name <> 'cleanup' or t.ref is not null)::int
+ (select count(*) from sluice.intent where owed_at is not null and cleanup_id is null and over_at is null)::int as count`;

export const REMOVALS = `
select count(*)::int as total, count(*) filter (where i.state = 0)::int as waiting,
  count(*) filter (where i.state not in (0, 1))::int as failed
from sluice.item i join sluice.pipeline p on p.id = i.pipeline_id
where p.name = 'cleanup'`;

export const INSTALLATION = `select value #>> '{}' as name from sluice.setting where name = 'installation'`;

export const IN_LANE = `
select count(*)::int as count
from sluice.run r
join sluice.lane l on l.id = r.lane
join sluice.pipeline p on p.id = l.pipeline_id
where p.name = $1 and r.state <> 0 and r.stage = l.stage and l.cap is not null`;

export const MAKE_LEDGER = `
create schema chaos;
create table chaos.ledger (item text not null, tag text not null);`;

/** Without a unique index on purpose: a row written twice must be seen, not refused. */
export const POST = {
  name: "chaos-post",
  text: `insert into chaos.ledger (item, tag) select item, tag from unnest($1::text[], $2::text[]) u (item, tag)`,
};

export const END_EVERYBODY = `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`;

export const END_LISTENERS = `select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'`;

/** The connection over which one process beats. */
export const END_BEAT = `
select pg_terminate_backend(w.backend_pid)
from sluice.worker w
join pg_stat_activity a on a.pid = w.backend_pid and a.application_name = 'sluice beat'
where w.pid = $1 and w.state = 0`;
