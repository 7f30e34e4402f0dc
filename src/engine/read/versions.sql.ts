// Versions of a pipeline side by side: shares, workers, holds, figures, and those that nobody would work on.

import type { Queryable, Statement } from "../db/database.ts";

export interface VersionRow {
  readonly version: number;
  readonly stages: readonly string[];
  readonly shares: Readonly<Record<string, number>> | null;
  /** Live workers that have its code. */
  readonly workers: number;
  readonly held_at: Date | null;
  readonly held_note: string | null;
  readonly is_closing: boolean | null;
}

const LIST: Statement = {
  name: "list-versions",
  text: `
select p.version, p.stages, r.shares, crew.workers, h.changed_at as held_at, h.note as held_note,
  exists (select from sluice.worker w where w.state = 0 and w.valve_generation < h.generation) as is_closing
from sluice.pipeline p
left join sluice.rollout r on r.pipeline = p.name
left join sluice.valve h on h.kind = 'hold' and h.pipeline = p.name and h.version = p.version and h.closed
cross join lateral (
  select count(*)::int as workers from sluice.worker where state = 0 and pipelines @> array[p.id]) crew
where p.name = $1
order by p.version`,
};

export async function listVersions(db: Queryable, pipeline: string): Promise<VersionRow[]> {
  return await db.query<VersionRow>(LIST, [pipeline]);
}

const NAMES: Statement = {
  name: "pipeline-names",
  text: "select distinct name from sluice.pipeline order by name limit 1000",
};

export async function pipelineNames(db: Queryable): Promise<string[]> {
  return (await db.query<{ name: string }>(NAMES, [])).map((row) => row.name);
}

export interface FiguresRow {
  readonly version: number;
  readonly items: number;
  readonly live: number;
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly retries: number;
  readonly from: Date | null;
  /** Milliseconds from submission to completion: the median, and what nine of ten stay below. */
  readonly took: readonly number[] | null;
}

// Parts are left out: they are counted by what becomes of their item. A try beyond the first is what follows a fault that
// was counted and did not end the item.
const FIGURES: Statement = {
  name: "version-figures",
  text: `
select p.version, f.items, f.live, f.done, f.failed, f.cancelled, f.retries, f.from, f.took
from sluice.pipeline p
cross join lateral (
  select count(*)::int as items, count(*) filter (where s.state = 0)::int as live, count(*) filter (where s.state = 1)::int as done,
    count(*) filter (where s.state = 2)::int as failed, count(*) filter (where s.state = 3)::int as cancelled,
    coalesce(sum(s.retries), 0)::int as retries, min(s.created_at) as from,
    percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from s.finished_at - s.created_at) * 1000)
      filter (where s.state = 1) as took
  from (
    select i.state, i.created_at, i.finished_at, tries.retries
    from (
      select id, state, created_at, finished_at from sluice.item
      where pipeline_id = p.id and part is null
      order by id desc
      limit $2) i
    cross join lateral (
      select count(*) as retries from sluice.journal j
      where j.item_id = i.id and j.kind = 8 and j.attempt is not null and j.ended = 0) tries) s) f
where p.name = $1
order by p.version`,
};

/** Of the newest `most` items of each version. */
export async function versionFigures(db: Queryable, pipeline: string, most: number): Promise<FiguresRow[]> {
  return await db.query<FiguresRow>(FIGURES, [pipeline, most]);
}

export interface OrphanRow {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  readonly items: number;
}

// By lanes, which both indexes of the run rows begin with; a row that was handed on keeps its lane, so its stage is its own. What
// nobody works on is asked first: else a million items that somebody does work on would be counted at every start (0.3 s). Their order
// is the indexes', or the planner would read the whole table for a lane that is empty.
const ORPHANS: Statement = {
  name: "orphans",
  text: `
select p.name as pipeline, p.version, p.stages[found.stage + 1] as stage, sum(found.items)::int as items
from sluice.pipeline p
cross join lateral (
  select array_agg(one.place - 1) as stages
  from unnest(p.stages) with ordinality one (name, place)
  where not exists (
    select from sluice.worker w
    where w.state = 0 and w.pipelines @> array[p.id]
      and (w.stages is null or one.name = any (w.stages) or p.name = 'cleanup'))
  having count(*) > 0) forsaken
join sluice.lane l on l.pipeline_id = p.id
cross join lateral (
  select live.stage, count(*) as items
  from (
    (select r.stage from sluice.run r where r.lane = l.id and r.state = 0 order by r.priority, r.ready_at, r.id limit $1)
    union all
    (select r.stage from sluice.run r where r.lane = l.id and r.state <> 0 order by r.epoch limit $1)) live
  where live.stage = any (forsaken.stages)
  group by live.stage) found
group by p.name, p.version, p.stages, found.stage
order by p.name, p.version, found.stage`,
};

/** Live items of versions whose code no live worker has, at most about `most` counted in each lane. */
export async function findOrphans(db: Queryable, most: number): Promise<OrphanRow[]> {
  return await db.query<OrphanRow>(ORPHANS, [most]);
}
