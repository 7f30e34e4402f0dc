// What the checks of one kind of action each look at, read only where a seed has it.

import type { Statement } from "../../src/engine/db/database.ts";
import { list } from "./snapshot.sql.ts";

export interface BulkRows {
  readonly operations: readonly [
    id: string,
    actor: string,
    total: number,
    done: number,
    refused: number,
    failed: number,
    stopped: number,
    isFinished: boolean,
  ][];
  readonly members: readonly [operation: string, item: string, outcome: number, copy: string | null][];
  /** What the audit says was done to an item in an operation's name. */
  readonly acts: readonly [actor: string, item: string, times: number][];
}

export const BULK: Statement = {
  name: "sim-bulk",
  text: `
select
  ${list("id::text, actor, total, done, refused, failed, stopped, finished_at is not null", "sluice.operation")} as operations,
  ${list("operation_id::text, item_id::text, outcome, copy_id::text", "sluice.operation_item")} as members,
  ${list(
    "actor, item_id::text, times",
    `(select actor, item_id, count(*) as times from sluice.audit
      where actor like 'bulk:%' and item_id is not null group by actor, item_id) a`,
  )} as acts`,
};

export interface FinderRows {
  readonly finders: readonly [name: string, after: number | null][];
}

export const FINDERS: Statement = {
  name: "sim-finders",
  text: `select ${list("name, after", "sluice.finder")} as finders`,
};

export interface ScheduleRows {
  readonly schedules: readonly [
    name: string,
    version: string,
    next: number | null,
    last: number | null,
    missed: number,
    isPaused: boolean,
  ][];
}

const ms = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`;

export const SCHEDULES: Statement = {
  name: "sim-schedules",
  text: `select ${list(`name, version::text, ${ms("next_at")}, ${ms("last_at")}, missed, is_paused`, "sluice.schedule")} as schedules`,
};

export interface DeadlineRows {
  readonly deadlines: readonly [run: string, at: number][];
  readonly now: number;
}

export const DEADLINES: Statement = {
  name: "sim-deadlines",
  text: `
select ${list(`id::text, ${ms("deadline_at")}`, "sluice.run where deadline_at is not null")} as deadlines,
  ${ms("sluice.now()")} as now`,
};

export interface RemovalRows {
  readonly ages: readonly [
    item: string,
    request: string,
    state: number,
    finished: number | null,
    keep: number | null,
  ][];
  /** Those that somebody asked for. */
  readonly asked: readonly string[];
  /** Items that were cancelled in the course of it. */
  readonly cancelled: readonly string[];
  readonly now: number;
}

export const REMOVER = "remover";

export const REMOVAL: Statement = {
  name: "sim-removal",
  text: `
select
  ${list(
    `i.id::text, i.request_id::text, i.state, ${ms("i.finished_at")},
      extract(epoch from case i.state when 1 then p.keep_done when 2 then p.keep_failed when 3 then p.keep_cancelled end)::float8 * 1000`,
    "sluice.item i join sluice.pipeline p on p.id = i.pipeline_id",
  )} as ages,
  (select coalesce(json_agg(request_id::text), '[]') from sluice.removal where asked_by is not null) as asked,
  (select coalesce(json_agg(item_id::text), '[]') from sluice.audit where actor = '${REMOVER}' and action = 'cancel') as cancelled,
  ${ms("sluice.now()")} as now`,
};

/** Whatever is still there of items that are not. The journal of what was removed by age goes with its week. */
export const REMAINS: Statement = {
  name: "sim-remains",
  text: `
select rest.what, rest.item::text as item
from (
  select 'run' as what, id as item from sluice.run
  union all select 'question', run_id from sluice.question
  union all select 'checkpoint', run_id from sluice.checkpoint
  union all select 'waiter', run_id from sluice.waiter
  union all select 'visit_log', item_id from sluice.visit_log
  union all select 'journal', item_id from sluice.journal where item_id::text = any ($1::text[])) rest
where not exists (select from sluice.item i where i.id = rest.item)
limit 1`,
};
