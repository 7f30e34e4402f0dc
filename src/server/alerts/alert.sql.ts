// Alerts as they are stored: what was seen, since when, and what was told. One live row for a cause.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { RuleName } from "./rule.ts";

export interface AlertRow {
  readonly id: string;
  readonly key: string;
  readonly rule: RuleName;
  readonly state: "pending" | "open" | "resolved";
  readonly seen_at: Date;
  readonly since: Date;
  readonly opened_at: Date | null;
  readonly absent_since: Date | null;
  readonly resolved_at: Date | null;
  readonly told_at: Date | null;
  readonly told_count: number;
  readonly reminders: number;
  readonly snoozed_until: Date | null;
  readonly count: number;
  readonly most: number;
  readonly title: string;
  readonly sentence: string;
  readonly by_itself: string;
  readonly examples: readonly string[];
}

const alertColumns = `id, key, rule, state, seen_at, since, opened_at, absent_since, resolved_at, told_at, told_count, reminders,
  snoozed_until, count, most, title, sentence, by_itself, examples`;

const LIVE: Statement = {
  name: "alert-live",
  text: `select ${alertColumns} from sluice_server.alert where state <> 'resolved' order by id limit 10000 for update`,
};

export async function liveAlerts(tx: Queryable): Promise<AlertRow[]> {
  return await tx.query<AlertRow>(LIVE, []);
}

export interface PastRow {
  readonly key: string;
  readonly openings: number;
  readonly told_at: Date | null;
  readonly snoozed_until: Date | null;
}

// A snooze may last longer than a day; so does what is remembered of it.
const PAST: Statement = {
  name: "alert-past",
  text: `
select key, count(*) filter (where opened_at > sluice.now() - interval '24 hours')::int as openings, max(told_at) as told_at,
  max(snoozed_until) as snoozed_until
from sluice_server.alert
where key = any ($1::text[]) and opened_at > sluice.now() - interval '40 days'
group by key`,
};

export async function pastOf(tx: Queryable, keys: readonly string[]): Promise<PastRow[]> {
  return await tx.query<PastRow>(PAST, [keys]);
}

/** Everything but the id. */
export type AlertValues = Omit<AlertRow, "id" | "resolved_at">;

const valuesOf = (alert: AlertValues) => [
  ...[alert.key, alert.rule, alert.state, alert.seen_at, alert.since, alert.opened_at, alert.absent_since],
  ...[alert.told_at, alert.told_count, alert.reminders, alert.count, alert.most],
  ...[alert.title, alert.sentence, alert.by_itself, JSON.stringify(alert.examples)],
];

const ADD: Statement = {
  name: "alert-add",
  text: `
insert into sluice_server.alert (key, rule, state, seen_at, since, opened_at, absent_since, told_at, told_count, reminders, count, most,
  title, sentence, by_itself, examples)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::text::jsonb)
returning id`,
};

export async function addAlert(tx: Queryable, alert: AlertValues): Promise<string> {
  const [row] = await tx.query<{ id: string }>(ADD, valuesOf(alert));
  return (row as { id: string }).id; // an insert without conflict returns its row
}

const SAVE: Statement = {
  name: "alert-save",
  text: `
update sluice_server.alert
set key = $1, rule = $2, state = $3, seen_at = $4, since = $5, opened_at = $6, absent_since = $7, told_at = $8, told_count = $9,
  reminders = $10, count = $11, most = $12, title = $13, sentence = $14, by_itself = $15, examples = $16::text::jsonb
where id = $17`,
};

export async function saveAlert(tx: Queryable, id: string, alert: AlertValues): Promise<void> {
  await tx.query(SAVE, [...valuesOf(alert), id]);
}

const RESOLVE: Statement = {
  name: "alert-resolve",
  text: `
update sluice_server.alert
set state = 'resolved', resolved_at = $2, told_at = case when $3 then sluice.now() else told_at end
where id = $1`,
};

export async function resolveAlert(tx: Queryable, id: string, at: Date, isTold: boolean): Promise<void> {
  await tx.query(RESOLVE, [id, at, isTold]);
}

const DROP: Statement = {
  name: "alert-drop",
  text: "delete from sluice_server.alert where id = $1 and state = 'pending'",
};

export async function dropAlert(tx: Queryable, id: string): Promise<void> {
  await tx.query(DROP, [id]);
}

const LIST: Statement = {
  name: "alert-list",
  text: `
select ${alertColumns} from sluice_server.alert
where ($1::bigint is null or id < $1) and state = any ($2::text[]) and ($3::text[] is null or rule = any ($3))
order by id desc
limit $4`,
};

export interface AlertPage {
  /** The id of the last one of the page before. */
  readonly after: string | null;
  readonly states: readonly ("open" | "resolved")[];
  /** Only of these; null for all. */
  readonly rules: readonly RuleName[] | null;
  readonly limit: number;
}

/** Newest first. What is pending is nobody's business yet. */
export async function listAlerts(db: Queryable, { after, states, rules, limit }: AlertPage): Promise<AlertRow[]> {
  return await db.query<AlertRow>(LIST, [after, states, rules, limit]);
}

const TIME: Statement = { name: "alert-time", text: "select sluice.now() as now" };

/** By which a snooze is within bounds or not. */
export async function databaseTime(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(TIME, []);
  return (row as { now: Date }).now; // a statement without a table always has a row
}

const SNOOZE: Statement = {
  name: "alert-snooze",
  text: `
update sluice_server.alert set snoozed_until = $2
where id = $1 and state = 'open'
returning ${alertColumns}`,
};

/** Undefined when there is no open alert of that id. */
export async function snoozeAlert(tx: Queryable, id: string, until: Date | null): Promise<AlertRow | undefined> {
  const [row] = await tx.query<AlertRow>(SNOOZE, [id, until]);
  return row;
}

const FORGET: Statement = {
  name: "alert-forget",
  text: `
delete from sluice_server.alert
where id in (
  select id from sluice_server.alert
  where state = 'resolved' and resolved_at < sluice.now() - interval '90 days'
  order by id
  limit 1000)`,
};

export async function forgetAlerts(db: Queryable): Promise<void> {
  await db.query(FORGET, []);
}
