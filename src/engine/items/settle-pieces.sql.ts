// What the statements that settle have in common: whether an item may begin its next stage in the same hands, what becomes of
// requests, and what is told of those who came too late.

import { openAmong, readyIn } from "./hand-over.sql.ts";

/** Which of some lanes an item may be handed on to, by whoever has the epoch. */
export const openLanes = (lanes: string, epoch: string) => `open_lane as materialized (
  ${openAmong(lanes)}
    -- A worker taken for dead may still settle what nobody has reclaimed yet, but it takes nothing new.
    and exists (select from sluice.worker where epoch = ${epoch} and state = 0)
)`;

/** The best priority of which something is ready in the lanes that are served; only better ones than asked for are looked at. */
export const mostUrgent = (served: string, levels: string) => `urgent as materialized (
  select coalesce(min(level.priority), 5) as priority from ${readyIn(served, levels)}
)`;

/** Those of `visit` that are missing in `written`. Counted first, so that who is missing is looked for only where somebody is. */
export const missingIn = (written: string) => `refused as materialized (
  select v.id, v.version, v.took_ms, v.stage
  from visit v
  where (select count(*) from ${written}) < (select count(*) from visit) and not exists (select from ${written} w where w.id = v.id)
)`;

export const tellRefused = (epoch: string) => `refusals as (
  insert into sluice.journal (at, item_id, epoch, version, took_ms, kind, stage)
  select sluice.now(), id, ${epoch}, version, took_ms, 9, stage
  from refused
  -- Of what was removed meanwhile nothing is told any more.
  where exists (select from sluice.item i where i.id = refused.id)
)`;

/** All requests of a batch, in the order of their ids, before the first is changed. */
export const lockTallied = `locked as materialized (
  select id from sluice.request
  where id = any (array (select request_id from tally))
  order by id
  for no key update
)`;

export const freeKeys = `freed_keys as (
  delete from sluice.unique_key k
  using counted c
  where c.is_over and c.key is not null and k.request_id = c.id and k.scope = 'live'
)`;

/** Who else may have waited for what ended. */
export const endedWaits = `exists (select from counted where is_over and parent_id is not null) as ends_joins,
  exists (select from sluice.waiter where kind = 'item') as has_followers`;
