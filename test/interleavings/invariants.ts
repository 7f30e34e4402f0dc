// What holds after every interleaving, whatever it was about. Each is a query for what must not be there.

import type { Arena } from "./arena.ts";

const broken: Readonly<Record<string, string>> = {
  "a live item has exactly one run row, one that ended has none": `
    select i.id from sluice.item i
    left join (select id, count(*) as n from sluice.run group by id) r on r.id = i.id
    where coalesce(r.n, 0) <> (i.state = 0)::int
    union all
    select r.id from sluice.run r where not exists (select from sluice.item i where i.id = r.id)`,
  "a request's counts equal a recount": `
    select q.id from sluice.request q
    left join lateral (
      select count(*) as total, count(*) filter (where i.state = 1) as completed, count(*) filter (where i.state = 2) as failed,
        count(*) filter (where i.state = 3) as cancelled
      from sluice.item i where i.request_id = q.id) n on true
    where (q.total, q.completed, q.failed, q.cancelled) is distinct from (n.total::int, n.completed::int, n.failed::int, n.cancelled::int)`,
  "a request counts as partly done its completed items with a part that is not done": `
    select q.id from sluice.request q
    where q.partly <> (
      select count(*) from sluice.item i
      where i.request_id = q.id and i.state = 1 and exists (
        select from sluice.request c
        where c.parent_id = i.id and c.parts_of is not null and c.completed < c.total and not exists (
          select from sluice.request n where n.parent_id = i.id and n.parts_of = c.parts_of and n.id > c.id)))`,
  "journal rows of an item stand in the order of its versions": `
    select item_id from (
      select item_id, version, lag(version) over (partition by item_id order by xid, seq) as before
      from sluice.journal where item_id is not null and kind <> 9) j
    where version < before`,
  "a stage is entered where the one before left it": `
    select item_id from (
      select item_id, kind, stage, lag(to_stage) over (partition by item_id order by version, xid, seq) as before,
        lag(ended) over (partition by item_id order by version, xid, seq) as ended_before
      from sluice.journal where item_id is not null and kind <> 9) j
    where (kind not in (0, 12, 22) and stage is distinct from before) or (ended_before <> 0 and kind not in (12, 22))`,
  "an item is written by one holder under one fence, once": `
    select item_id from sluice.journal where item_id is not null and kind not in (9, 20)
    group by item_id, version having count(*) > 1`,
  "the run row's version is not behind its journal": `
    select r.id from sluice.run r join sluice.journal j on j.item_id = r.id and j.kind <> 9 and j.version > r.version`,
  "an item's last version is not behind its journal": `
    select i.id from sluice.item i
    join sluice.journal j on j.item_id = i.id and j.kind <> 9 and j.version > i.run_version where i.state <> 0`,
  "what is leased has a holder that is alive or not yet cleared away": `
    select r.id from sluice.run r where r.state = 1
      and not exists (select from sluice.worker w where w.epoch = r.epoch and (w.state = 0 or w.cleared_at is null))`,
  "what is watched carries the epoch of its lane's watch, a name and when it was last alive": `
    select r.id from sluice.run r
    where (r.state = 2) <> (r.epoch is not null and r.epoch = -r.lane) or (r.state = 2) and (r.ref is null or r.active_at is null)`,
  "what may exist outside belongs to a live item, is owed or is over": `
    select i.item_id from sluice.intent i where i.owed_at is null and i.over_at is null
      and not exists (select from sluice.run r where r.id = i.item_id)`,
  "a waiter belongs to a live item": `
    select w.run_id from sluice.waiter w where not exists (select from sluice.run r where r.id = w.run_id and r.flags & 4 = 4)`,
  "a checkpoint belongs to an item that was not cancelled": `
    select c.run_id from sluice.checkpoint c where not exists (
      select from sluice.item i where i.id = c.run_id and i.state <> 3)`,
  "an open question belongs to a live item": `
    select q.run_id from sluice.question q where q.answered_at is null and q.withdrawn_at is null
      and not exists (select from sluice.run r where r.id = q.run_id)`,
  "a key for the live belongs to a request that is not over": `
    select k.request_id from sluice.unique_key k join sluice.request q on q.id = k.request_id
    where k.scope = 'live' and q.completed + q.failed + q.cancelled = q.total`,
  "an operation counts what came of its members": `
    select o.id from sluice.operation o
    cross join lateral (
      select count(*) as total, count(*) filter (where m.outcome = 0) as open, count(*) filter (where m.outcome = 1) as done,
        count(*) filter (where m.outcome = 2) as refused, count(*) filter (where m.outcome = 3) as failed,
        count(*) filter (where m.outcome = 4) as stopped
      from sluice.operation_item m where m.operation_id = o.id) m
    where o.total <> m.total or o.done <> m.done or o.refused <> m.refused or o.failed <> m.failed or o.stopped <> m.stopped
      or (o.finished_at is null) <> (m.open > 0)`,
  "a lane holds no more than its cap": `
    select l.id from sluice.lane l join sluice.run r on r.lane = l.id and r.stage = l.stage and r.state <> 0
    where l.cap is not null group by l.id, l.cap having count(*) > l.cap`,
};

const ALL = Object.entries(broken)
  .map(
    ([name, text]) =>
      `select '${name.replaceAll("'", "''")}' as name, (select array_agg(t.id::text) from (${text}) t (id)) as ids`,
  )
  .join("\nunion all\n");

export async function checkInvariants(arena: Arena): Promise<void> {
  const rows = await arena.look<{ name: string; ids: string[] | null }>(
    `select name, ids from (${ALL}) a where ids is not null`,
  );
  if (rows.length === 0) return;
  throw new Error(`not so: ${rows.map((row) => `${row.name} (${row.ids?.join(", ")})`).join("; ")}`);
}
