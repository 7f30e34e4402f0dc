// What a piece of the journal adds up to by the hour, for trends: pieces of the tally's statements.

export interface TrendSum {
  readonly kind: "done" | "failed" | "took" | "stall" | "opened";
  /** 0 for none. */
  readonly pipeline: number;
  /** The code of a failure ("" for those that were too many), the service of a stall or a breaker; else "". */
  readonly name: string;
  /** The beginning of ten minutes. */
  readonly at: string;
  readonly length: number;
  readonly times: number;
}

/** Of the items that were done a few, each standing for so many. */
export interface TookRow {
  readonly pipeline: number;
  readonly at: string;
  readonly ms: number;
  readonly times: number;
}

/** Of one piece so many codes of a pipeline are told apart: whoever puts numbers into codes shall not fill a table with them. */
const CODES_MOST = 20;

/** Beside the columns of the figures. */
export const trendColumns = `code, kind = 19 and code = 'STALLED' as stalled, kind = 32 and reason = 'opened' as opened,
    case when kind in (19, 32) then output ->> 'service' end as service`;

const tenMinutes = (at: string) => `date_bin('10 minutes', ${at}, '2000-01-01 00:00Z')`;

/**
 * Defines "trend" and "took" from "found". Parts are work of their item, and count for nothing by themselves. Whose an end is that no
 * visit brought is looked up, and when it began is, for a few that are evenly spread.
 */
export const trendSums = (staysMost: string) => `over as materialized (
  select f.item_id, f.at, f.ended, coalesce(f.code, 'UNKNOWN') as code, f.pipeline_id,
    row_number() over (partition by f.ended) - 1 as place,
    greatest(1, ceil(count(*) over (partition by f.ended) / ${staysMost}::float8)::int) as stride
  from found f
  where f.ended in (1, 2)
),
whole as materialized (
  select o.at, o.ended, o.code, o.stride, coalesce(o.pipeline_id, i.pipeline_id) as pipeline, i.created_at
  from over o
  left join lateral (
    select x.pipeline_id, x.part, x.created_at from sluice.item x
    where x.id = o.item_id and (o.pipeline_id is null or o.ended = 1 and o.place % o.stride = 0)
    limit 1) i on true
  where coalesce(o.pipeline_id, i.pipeline_id) is not null and i.part is null
),
failed as (
  select w.pipeline, ${tenMinutes("w.at")} as at, w.code, count(*) as times,
    row_number() over (partition by w.pipeline, ${tenMinutes("w.at")} order by count(*) desc, w.code) as nth
  from whole w
  where w.ended = 2
  group by 1, 2, 3
),
trend as (
  select 'done' as kind, w.pipeline, '' as name, ${tenMinutes("w.at")} as at, 0 as length, count(*) as times
  from whole w
  where w.ended = 1
  group by 2, 4
  union all
  select 'failed', f.pipeline, case when f.nth <= ${CODES_MOST} then f.code else '' end, f.at, 0, sum(f.times)
  from failed f
  group by 2, 3, 4
  union all
  select 'stall', coalesce(i.pipeline_id, 0), coalesce(f.service, ''), ${tenMinutes("f.at")}, 0, count(*)
  from found f
  left join lateral (select x.pipeline_id from sluice.item x where x.id = f.item_id limit 1) i on true
  where f.stalled
  group by 2, 3, 4
  union all
  select 'opened', 0, coalesce(f.service, ''), ${tenMinutes("f.at")}, 0, count(*)
  from found f
  where f.opened
  group by 3, 4
),
took as (
  select w.pipeline, ${tenMinutes("w.at")} as at, greatest(0, extract(epoch from w.at - w.created_at) * 1000)::float8 as ms,
    w.stride as times
  from whole w
  where w.ended = 1 and w.created_at is not null
)`;

/** What "given" tells is added twice: to its ten minutes and to its hour. In one order, so that nobody waits in a circle. */
export const addToTrends = (given: string) => `
  insert into sluice.trend as t (minutes, at, kind, pipeline_id, name, length, times)
  select step.minutes, date_bin(step.minutes * interval '1 minute', u.at, '2000-01-01 00:00Z'), u.kind, u.pipeline, u.name, u.length,
    sum(u.times)
  from (${given}) u
  cross join (values (10), (60)) step (minutes)
  where step.minutes = 60 or u.kind <> 'took'
  group by 1, 2, 3, 4, 5, 6
  order by 1, 2, 3, 4, 5, 6
  on conflict (minutes, at, kind, pipeline_id, name, length) do update set times = t.times + excluded.times`;

/** The parameters from `first` on are those of `trendValues`. */
export function addTrends(first: number, condition: string): string {
  const at = (place: number, type: string) => `$${first + place}::${type}[]`;
  return addToTrends(`
    select g.kind, g.pipeline, g.name, g.at, g.length, g.times
    from unnest(${at(0, "text")}, ${at(1, "int")}, ${at(2, "text")}, ${at(3, "timestamptz")}, ${at(4, "smallint")}, ${at(5, "bigint")})
      g (kind, pipeline, name, at, length, times)
    where ${condition}`);
}

export function trendValues(trends: readonly TrendSum[]): readonly unknown[] {
  return [
    trends.map((one) => one.kind),
    trends.map((one) => one.pipeline),
    trends.map((one) => one.name),
    trends.map((one) => one.at),
    trends.map((one) => one.length),
    trends.map((one) => one.times),
  ];
}
