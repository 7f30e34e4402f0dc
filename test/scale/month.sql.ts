// A day of a busy installation, as the engine would leave it in the tables. Ten items to a request; of a hundred items one
// waits for ten days in its second stage, five fail, four are cancelled, and ninety are done.

import type { Statement } from "../../src/engine/db/database.ts";

export const PER_REQUEST = 10;
export const SLOW_DAYS = 10;

const isSlow = "i.id % 100 = 7";
const stateOf = "case when i.id % 100 < 5 then 2 when i.id % 100 between 10 and 13 then 3 else 1 end";

/** What the test knows of a request: until when it has to be there. */
export const LEDGER = `create table ledger (request_id bigint primary key, until timestamptz)`;

/** $1 first item, $2 last item. The first is one above a multiple of ten. */
export const submitted = (pipeline: number, lane: number): readonly Statement[] => [
  {
    name: "month-requests",
    text: `
insert into sluice.request (id, total, created_at)
select n / ${PER_REQUEST}, ${PER_REQUEST}, sluice.now() from generate_series($1::bigint, $2::bigint, ${PER_REQUEST}) n`,
  },
  {
    name: "month-items",
    text: `
insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, input)
select n, (n - 1) / ${PER_REQUEST}, n, sluice.now(), ${pipeline}, 3, 1, '{"title": "Metropolis"}'
from generate_series($1::bigint, $2::bigint) n`,
  },
  {
    name: "month-runs",
    text: `
insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, flags)
select n, (n - 1) / ${PER_REQUEST}, sluice.now(), sluice.now(), 1, ${lane}, 0, 3, 0, 1 from generate_series($1::bigint, $2::bigint) n`,
  },
  {
    name: "month-journal",
    text: `
insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, attempt, output)
select sluice.now(), n, (n - 1) / ${PER_REQUEST}, v.version, v.kind, v.stage, v.to_stage, 1, 1, v.output
from generate_series($1::bigint, $2::bigint) n
cross join (values (0, 0, null::int, 0, null::jsonb), (1, 1, 0, 1, '{"path": "/films/Metropolis.1927.mkv"}')) v (version, kind, stage, to_stage, output)`,
  },
];

/** $1 first item, $2 last item, $3 whether those that took ten days. */
export const ENDED: readonly Statement[] = [
  {
    name: "month-ends",
    text: `
with ended as (
  delete from sluice.run i where i.id between $1::bigint and $2::bigint and (${isSlow}) = $3::boolean returning i.id, i.request_id
),
items as (
  update sluice.item i set state = ${stateOf}, finished_at = sluice.now(), run_version = 3
  from ended e where i.id = e.id
)
insert into sluice.journal (at, item_id, request_id, version, kind, stage, ended, series, attempt, code, message)
select sluice.now(), i.id, i.request_id, 2, case ${stateOf} when 1 then 1 when 2 then 8 else 11 end, 1, ${stateOf}, 1, 1,
  case ${stateOf} when 2 then 'BROKEN' end, case ${stateOf} when 2 then 'the reel is broken' end
from ended i`,
  },
  {
    name: "month-counts",
    text: `
update sluice.request q
set completed = n.done, failed = n.failed, cancelled = n.cancelled
from (
  select i.request_id, count(*) filter (where i.state = 1) as done, count(*) filter (where i.state = 2) as failed,
    count(*) filter (where i.state = 3) as cancelled
  from sluice.item i
  where i.id between $1::bigint and $2::bigint and $3::boolean is not null
  group by i.request_id) n
where q.id = n.request_id`,
  },
  {
    name: "month-ledger",
    text: `
insert into ledger (request_id, until)
select i.request_id, max(coalesce(i.finished_at + case i.state when 1 then p.keep_done when 2 then p.keep_failed else p.keep_cancelled end, 'infinity'))
from sluice.item i
join sluice.pipeline p on p.id = i.pipeline_id
where i.id between $1::bigint and $2::bigint and $3::boolean is not null
group by i.request_id
on conflict (request_id) do update set until = excluded.until`,
  },
];

/** Each is a query for what must not be: requests or items that are wrong. */
export const WRONG: Readonly<Record<string, string>> = {
  "a request went before its time": `
    select l.request_id from ledger l
    where l.until > sluice.now() and not exists (select from sluice.request q where q.id = l.request_id)`,
  "a request is still there a day after its time": `
    select l.request_id from ledger l
    where l.until < sluice.now() - interval '1 day' and exists (select from sluice.request q where q.id = l.request_id)`,
  "a request lost items": `
    select q.id from sluice.request q where q.total <> (select count(*) from sluice.item i where i.request_id = q.id)`,
  "an item lost what its first stage handed on": `
    select i.id from sluice.item i
    where not exists (select from sluice.journal j where j.item_id = i.id and j.kind = 1 and j.output is not null)`,
  "an item lost its end": `
    select i.id from sluice.item i
    where i.state <> 0 and not exists (select from sluice.journal j where j.item_id = i.id and j.ended = i.state)`,
  "something is kept of an item that is gone": `
    select j.item_id from sluice.journal j where j.kept and not exists (select from sluice.item i where i.id = j.item_id)`,
};
