// What is read from the database when a run is over, and a few looks at it meanwhile.

export const ITEMS = `
select i.id::text as id, i.request_id::text as request, p.name as pipeline, cardinality(p.stages) as stages, i.state, i.input,
  exists (select from sluice.run r where r.id = i.id) as "hasRun"
from sluice.item i
join sluice.pipeline p on p.id = i.pipeline_id
order by i.id`;

export const REQUESTS = `
select id::text as id, key, total, completed, failed, cancelled
from sluice.request
order by id`;

export const JOURNAL = `
select row_number() over (order by xid, seq)::int as "order", item_id::text as item, kind, version, epoch::text as epoch, stage,
  to_stage as "toStage", ended, attempt, series, code, message, date_part('epoch', at) * 1000 as at
from sluice.journal
where item_id is not null
order by xid, seq`;

export const LEDGER = `select item from chaos.ledger order by item`;

export const LIVES = `
select epoch::text as epoch, name, pid, date_part('epoch', started_at) * 1000 as "startedAt",
  date_part('epoch', ended_at) * 1000 as "endedAt"
from sluice.worker
order by id`;

export const UNFINISHED = `select count(*)::int as count from sluice.run`;

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
