// Writing what came of visits: for a whole batch, in one statement and so in one transaction. Run row, journal row,
// the item's end, the request's counts and the release of its key happen together or not at all.
//
// Every write is fenced by (epoch, version): a row that was reclaimed, cancelled or settled meanwhile does not match,
// nothing of that item is written, and the refusal is recorded as a journal row of its own kind.
//
// Hand-off: a finished stage's item stays leased by the same process and begins the next stage, when the next lane's
// valves are open (read here, in the same snapshot), nothing of better priority is ready in the lanes this process
// serves, the process asked for it and counts as alive. Otherwise the item queues in its next lane.
//
// Lock order: run rows by id, which is the order of `visit`; then requests by id, all locked before the first is changed.
// (Without that lock two batches over the same requests deadlock: measured 93 of 320.)

import { jsonTexts, numbers } from "../db/array-text.ts";
import type { Queryable, Statement } from "../db/database.ts";
import { type Detail, detailed, plain } from "./detail.sql.ts";
import { isUsual, settleAlike } from "./settle-alike.sql.ts";
import {
  endedWaits,
  freeKeys,
  lockTallied,
  missingIn,
  mostUrgent,
  openLanes,
  tellRefused,
} from "./settle-pieces.sql.ts";
import type { Holder, SettleAnswer, SettledRow, Settlement } from "./settled.ts";
import { distinctShapes } from "./shapes.ts";

export type { SettledRow, Settlement, SettlementDetail } from "./settled.ts";

const settleText = ({ of, isMissing, column }: Detail) => `
with ${openLanes("$10::int[]", "$17")},
${mostUrgent("$15::int[]", "$16")},
shape as materialized (
  select s.shape, s.stage, s.kind, s.ended, s.to_stage, s.to_lane, s.asks, s.pipeline, s.detail::jsonb as detail,
    s.asks and s.priority <= (select priority from urgent) and s.to_lane in (select id from open_lane) as hand_off
  from unnest($6::smallint[], $7::smallint[], $8::smallint[], $9::smallint[], $10::int[], $11::boolean[], $12::smallint[],
    $13::int[], $14::text[]) with ordinality s (stage, kind, ended, to_stage, to_lane, asks, priority, pipeline, detail, shape)
),
visit as materialized (
  select u.id, u.version, u.took_ms, u.output, s.stage, s.kind, s.ended, s.to_stage, s.to_lane, s.hand_off, s.asks, s.pipeline${column("s.")}
  from unnest($1::bigint[], $2::int[], $3::bigint[], $4::int[], $5::text[]) u (id, version, shape, took_ms, output)
  join shape s on s.shape = u.shape
  order by u.id
),
moved as (
  update sluice.run r
  set version = r.version + 1,
    stage = v.to_stage,
    state = case when v.hand_off then 1 when ${of("v.", "watch")} is not null then 2 else 0 end,
    epoch = case when v.hand_off then r.epoch else (${of("v.", "watch")})::bigint end,
    lane = case when v.hand_off then r.lane else v.to_lane end,
    ready_at = case
      when v.hand_off then r.ready_at
      when ${isMissing("v.")} then sluice.now()
      when ${of("v.", "delayMs")} is null then 'infinity'
      else sluice.now() + (${of("v.", "delayMs")})::float8 * interval '1 millisecond' end,
    since = case
      when ${isMissing("v.")} or v.hand_off or v.stage <> v.to_stage or r.reason is distinct from ${of("v.", "reason")} then sluice.now()
      when coalesce((${of("v.", "journal")})::boolean, true) then r.since
      -- A repeat of what it waited for before. The visit in between has begun a time of its own; its first row knows since when.
      else coalesce((
        select j.at from sluice.journal j
        where j.item_id = r.id and j.reason = r.reason
        order by j.version desc
        limit 1), r.since) end,
    begun_at = case
      when v.hand_off then sluice.now()
      when (${of("v.", "keepBegun")})::boolean then r.begun_at end,
    attempts = coalesce((${of("v.", "attempts")})::smallint, 0),
    series = coalesce((${of("v.", "series")})::smallint, r.series),
    backs = coalesce((${of("v.", "backs")})::smallint, r.backs),
    waits = coalesce((${of("v.", "waits")})::smallint, 0),
    suspicion = 0,
    crashes = 0,
    flags = r.flags | case when v.output is null then 0 else 1 end,
    -- Let through once: what only led to its work, or started it outside, is not over yet.
    is_manual = case when v.kind in (18, 21) then r.is_manual end,
    progress = case when v.stage = v.to_stage and ${of("v.", "watch")} is null then r.progress end,
    ref = case when (${of("v.", "keepRef")})::boolean then r.ref else ${of("v.", "ref")} end,
    marks = null,
    active_at = case when ${of("v.", "watch")} is not null then sluice.now() end,
    reason = ${of("v.", "reason")}
  from visit v
  where r.id = v.id and r.version = v.version and r.epoch = $17 and v.ended = 0
  returning r.id, r.request_id, r.version, r.state = 1 as held, r.series, v.version as fence, v.stage, v.kind, v.ended,
    v.to_stage, v.took_ms, v.output, v.asks, v.pipeline${column("v.")}, r.flags
),
ended as (
  delete from sluice.run r
  using visit v
  where r.id = v.id and r.version = v.version and r.epoch = $17 and v.ended <> 0
  returning r.id, r.request_id, r.version + 1 as version, false as held, r.series, v.version as fence, v.stage, v.kind,
    v.ended, v.to_stage, v.took_ms, v.output, v.asks, v.pipeline${column("v.")}, r.flags
),
written as not materialized (select * from ended union all select * from moved),
${missingIn("written")},
items as (
  update sluice.item i
  set state = e.ended, finished_at = sluice.now(), run_version = e.version
  from ended e
  where i.id = e.id
),
tally as materialized (
  select request_id, count(*) filter (where ended = 1) as completed, count(*) filter (where ended = 2) as failed,
    count(*) filter (where ended = 3) as cancelled, sum(coalesce((${of("", "grows")})::int, 0)) as grows
  from ended
  group by request_id
),
${lockTallied},
counted as (
  update sluice.request q
  set completed = q.completed + t.completed, failed = q.failed + t.failed, cancelled = q.cancelled + t.cancelled,
    total = q.total + t.grows
  from tally t
  where q.id = t.request_id and (select count(*) from locked) > 0
  returning q.id, q.key, q.parent_id, q.completed + q.failed + q.cancelled = q.total as is_over
),
checkpoints as (
  -- A failed item keeps its own: a retry goes on from there.
  delete from sluice.checkpoint
  where run_id = any (array (select id from ended where flags & 2 <> 0 and ended <> 2))
),
learnt as (
  update sluice.intent i
  set ref = (select ${of("w.", "ref")} from written w where ${of("w.", "key")} = i.key)
  where i.key = any (array (select ${of("", "key")} from written where ${of("", "key")} is not null))
),
intents as (
  update sluice.intent i
  set owed_at = case when owes.owes then sluice.now() end, over_at = case when owes.owes then null else sluice.now() end
  from (values (true), (false)) owes (owes)
  where i.over_at is null and i.owed_at is null and i.item_id = any (array (
    select id from written
    where flags & 8 <> 0
      and case when ended <> 0 then ended = 2 when ${of("", "intents")} is not null then ${of("", "intents")} = 'owed' end
        = owes.owes))
),
${freeKeys},
journal as (
  insert into sluice.journal (at, item_id, request_id, epoch, version, took_ms, kind, stage, to_stage, ended, attempt, series,
    pipeline_id, reason, code, message, output)
  select sluice.now(), id, request_id, $17, fence, took_ms, kind, stage, to_stage, ended,
    case when ${isMissing("")} then 1 else (${of("", "attempt")})::smallint end, series, pipeline, ${of("", "reason")},
    ${of("", "code")}, ${of("", "message")}, output::jsonb
  from written
  where ${isMissing("")} or coalesce((${of("", "journal")})::boolean, true)
),
${tellRefused("$17")}
select array (select id::text from refused) as refused,
  array (select id::text from written where asks and not held) as queued,
  ${endedWaits}`;

const SETTLE: Statement = { name: "settle", text: settleText(detailed) };
const SETTLE_PLAIN: Statement = { name: "settle-plain", text: settleText(plain) };

interface Answer extends SettleAnswer {
  /** Asked to be handed on, and had to queue. */
  readonly queued: readonly string[];
}

/** In the order of `batch`. What is missing was refused: somebody else has owned it since. */
export async function settle(db: Queryable, batch: readonly Settlement[], holder: Holder): Promise<SettledRow[]> {
  const { shapes, indexes } = distinctShapes(batch);
  const [first, other] = shapes;
  if (first !== undefined && other === undefined && isUsual(first)) {
    const answer = await settleAlike(db, batch, first, holder);
    return answer === undefined ? [] : settledRows(batch, answer, () => answer.held);
  }
  const answer = await settleAny(db, batch, { shapes, indexes }, holder);
  if (answer === undefined) return [];
  const queued = new Set(answer.queued);
  return settledRows(batch, answer, ({ id, ended, handOff }) => handOff && ended === 0 && !queued.has(id));
}

async function settleAny(
  db: Queryable,
  batch: readonly Settlement[],
  { shapes, indexes }: ReturnType<typeof distinctShapes>,
  holder: Holder,
): Promise<Answer | undefined> {
  const handed = batch.filter((one) => one.handOff).map((one) => one.priority);
  const isPlain = batch.every((one) => one.detail === null);
  const [answer] = await db.query<Answer>(isPlain ? SETTLE_PLAIN : SETTLE, [
    numbers(batch.map((one) => one.id)),
    numbers(batch.map((one) => one.version)),
    numbers(indexes),
    numbers(batch.map((one) => one.tookMs)),
    jsonTexts(batch.map((one) => one.output)),
    shapes.map((one) => one.stage),
    shapes.map((one) => one.kind),
    shapes.map((one) => one.ended),
    shapes.map((one) => one.toStage),
    shapes.map((one) => one.toLane),
    shapes.map((one) => one.handOff),
    shapes.map((one) => one.priority),
    shapes.map((one) => one.pipeline),
    shapes.map((one) => (one.detail === null ? null : JSON.stringify(one.detail))),
    holder.servedLanes,
    Math.max(1, ...handed) - 1,
    holder.epoch,
  ]);
  return answer;
}

/** Everything written moved one version on. */
function settledRows(
  batch: readonly Settlement[],
  { refused, ends_joins, has_followers }: SettleAnswer,
  isHeld: (one: Settlement) => boolean,
): SettledRow[] {
  const late = new Set(refused);
  const written = late.size === 0 ? batch : batch.filter((one) => !late.has(one.id));
  return written.map((one) => ({
    id: one.id,
    version: one.version + 1,
    held: isHeld(one),
    ends_waits: ends_joins || (one.ended !== 0 && has_followers),
  }));
}
