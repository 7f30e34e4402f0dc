// Settling a batch of which all go the same usual way: done at the first try, and on to the next stage, or over. Under load most
// batches are like that. What they share travels once and needs no join, and what cannot be is not asked for: a sixth less of the
// server's time than the statement for any batch, which writes the same rows (both are held against each other in the tests).

import { jsonTexts, numbers } from "../db/array-text.ts";
import type { Queryable, Statement } from "../db/database.ts";
import { ITEM_STATE, JOURNAL_KIND } from "./codes.ts";
import {
  endedWaits,
  freeKeys,
  lockTallied,
  missingIn,
  mostUrgent,
  openLanes,
  tellRefused,
} from "./settle-pieces.sql.ts";
import type { Holder, SettleAnswer, Settlement } from "./settled.ts";

const visit = `visit as materialized (
  select u.id, u.version, u.took_ms, u.output, $5::smallint as stage
  from unnest($1::bigint[], $2::int[], $3::int[], $4::text[]) u (id, version, took_ms, output)
  order by u.id
)`;

const ON: Statement = {
  name: "settle-on",
  text: `
with ${openLanes("array[$9::int]", "$7")},
${mostUrgent("$12::int[]", "$13")},
way as materialized (
  select $10::boolean and $11::smallint <= (select priority from urgent) and $9::int in (select id from open_lane) as hand_off
),
${visit},
moved as (
  update sluice.run r
  set version = r.version + 1,
    stage = $8::smallint,
    state = case when w.hand_off then 1 else 0 end,
    epoch = case when w.hand_off then r.epoch end,
    lane = case when w.hand_off then r.lane else $9::int end,
    ready_at = case when w.hand_off then r.ready_at else sluice.now() end,
    since = sluice.now(),
    begun_at = case when w.hand_off then sluice.now() end,
    attempts = 0,
    waits = 0,
    suspicion = 0,
    crashes = 0,
    flags = r.flags | case when v.output is null then 0 else 1 end,
    is_manual = null,
    progress = null,
    ref = null,
    marks = null,
    active_at = null,
    reason = null
  from visit v
  cross join way w
  where r.id = v.id and r.version = v.version and r.epoch = $7
  returning r.id, r.request_id, v.version as fence, v.took_ms, v.output, r.series
),
${missingIn("moved")},
journal as (
  insert into sluice.journal (at, item_id, request_id, epoch, version, took_ms, kind, stage, to_stage, attempt, series,
    pipeline_id, output)
  select sluice.now(), id, request_id, $7, fence, took_ms, ${JOURNAL_KIND.done}, $5, $8, 1, series, $6::int, output::jsonb
  from moved
),
${tellRefused("$7")}
select array (select id::text from refused) as refused, (select hand_off from way) as held, false as ends_joins, false as has_followers`,
};

const END: Statement = {
  name: "settle-end",
  text: `
with ${visit},
ended as (
  delete from sluice.run r
  using visit v
  where r.id = v.id and r.version = v.version and r.epoch = $7
  returning r.id, r.request_id, v.version as fence, v.took_ms, v.output, r.series, r.flags
),
${missingIn("ended")},
items as (
  update sluice.item i
  set state = ${ITEM_STATE.done}, finished_at = sluice.now(), run_version = e.fence + 1
  from ended e
  where i.id = e.id
),
tally as materialized (
  select request_id, count(*) as completed from ended group by request_id
),
${lockTallied},
counted as (
  update sluice.request q
  set completed = q.completed + t.completed
  from tally t
  where q.id = t.request_id and (select count(*) from locked) > 0
  returning q.id, q.key, q.parent_id, q.completed + q.failed + q.cancelled = q.total as is_over
),
checkpoints as (
  delete from sluice.checkpoint
  where run_id = any (array (select id from ended where flags & 2 <> 0))
),
intents as (
  update sluice.intent i
  set over_at = sluice.now()
  where i.over_at is null and i.owed_at is null and i.item_id = any (array (select id from ended where flags & 8 <> 0))
),
${freeKeys},
journal as (
  insert into sluice.journal (at, item_id, request_id, epoch, version, took_ms, kind, stage, ended, attempt, series, pipeline_id,
    output)
  select sluice.now(), id, request_id, $7, fence, took_ms, ${JOURNAL_KIND.done}, $5, ${ITEM_STATE.done}, 1, series, $6::int,
    output::jsonb
  from ended
),
${tellRefused("$7")}
select array (select id::text from refused) as refused, false as held, ${endedWaits}`,
};

export interface AlikeAnswer extends SettleAnswer {
  /** Those that were written begin their next stage in the same hands. */
  readonly held: boolean;
}

/** Whether all that are like this one can be settled here. */
export function isUsual({ detail, kind, ended }: Settlement): boolean {
  return detail === null && kind === JOURNAL_KIND.done && (ended === ITEM_STATE.live || ended === ITEM_STATE.done);
}

/** `batch` are all like `one`. */
export async function settleAlike(
  db: Queryable,
  batch: readonly Settlement[],
  one: Settlement,
  { epoch, servedLanes }: Holder,
): Promise<AlikeAnswer | undefined> {
  const values = [
    numbers(batch.map(({ id }) => id)),
    numbers(batch.map(({ version }) => version)),
    numbers(batch.map(({ tookMs }) => tookMs)),
    jsonTexts(batch.map(({ output }) => output)),
    one.stage,
    one.pipeline,
    epoch,
  ];
  const where = [one.toStage, one.toLane, one.handOff, one.priority, servedLanes, one.priority - 1];
  const [answer] = await (one.ended === ITEM_STATE.live
    ? db.query<AlikeAnswer>(ON, [...values, ...where])
    : db.query<AlikeAnswer>(END, values));
  return answer;
}
