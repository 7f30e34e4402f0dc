// Lists of items, newest first. Every page costs the same however many items there are: it looks at a bounded number of them,
// in the order of an index that fits what is asked, and a page that found little says where the next one goes on.
//
// The texts are few and fixed, whatever is asked: what a filter leaves out is a parameter that is null. Each text is prepared
// once and kept, so one for every shape of a filter would be as many as anybody cares to ask for.

import type { Queryable, Statement } from "../db/database.ts";
import type { Verdict } from "../explain/verdicts.ts";
import { type ItemSource, lookOf } from "./item-sources.sql.ts";
import { asksMessage, hasWord, type ItemTexts, textConditions, textsJson } from "./item-texts.sql.ts";
import { type Found, type Looked, NEWEST, toFound } from "./page.ts";

export interface ItemLineRow {
  readonly id: string;
  readonly request_id: string;
  readonly pipeline: string;
  readonly pipeline_version: number;
  readonly stages: readonly string[];
  readonly end_state: number;
  readonly owner: string | null;
  readonly key: string | null;
  readonly title: string | null;
  readonly part: string | null;
  readonly part_of: string | null;
  readonly priority: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly run_state: number | null;
  readonly run_stage: number | null;
  readonly reason: string | null;
  readonly ready_at: Date | null;
  readonly since: Date | null;
  readonly has_begun: boolean;
  readonly is_due: boolean;
  readonly attempts: number | null;
  readonly progress: number | null;
  readonly last_stage: number | null;
  readonly last_attempt: number | null;
  readonly code: string | null;
  readonly message: string | null;
}

/** As `itemState` says it. */
const stateOf = `case i.state when 1 then 'done' when 2 then 'failed' when 3 then 'cancelled' else case
      when r.id is null then 'waiting'
      when r.state <> 0 then 'running'
      when r.ready_at <= sluice.now() then 'queued'
      when r.reason = 'question' then 'needs-you'
      else 'waiting' end end`;

/** Under which name the verdict on a lane stands, and that on its items of one key behind it: as `verdictName` says it. */
const laneName = "(r.lane || case when r.is_manual then ' passes' else '' end)";

/** Why it waits, as an explanation tells it: by its own doing or, once it is due, by its lane's. */
const reasonOf = (verdicts: string) => `case when i.state = 0 then case
      when r.id is null then 'unknown'
      when r.state <> 0 then null
      when r.ready_at <= sluice.now() then coalesce(${verdicts} ->> (${laneName} || ' ' || r.fair), ${verdicts} ->> ${laneName})
      when r.reason is not null then r.reason
      when r.ready_at < 'infinity' then 'scheduled'
      else 'unknown' end end`;

/** What an item may be found by, as text. */
const FACTS = {
  pipeline: "p.name",
  version: "p.version::text",
  // What is done stands nowhere; what failed or was cancelled, where it did so.
  stage: "case when i.state <> 1 then p.stages[coalesce(r.stage, last.stage) + 1] end",
  state: stateOf,
  reason: "told.reason",
  service: "lane.service",
  code: "last.code",
  worker: "holder.name",
  owner: "i.owner",
  key: "i.key",
  request: "i.request_id::text",
  part: "i.part",
  kind: "case when i.part is null then 'item' else 'part' end",
  priority: "i.priority::text",
} as const;

export type ItemFact = keyof typeof FACTS;
export type ItemFacts = { readonly [Fact in ItemFact]?: readonly string[] | undefined };
const NAMES = Object.keys(FACTS) as ItemFact[]; // Object.keys forgets the key type of a constant

/** Whose values are where among the parameters. */
const wanted = (fact: ItemFact) => `$${3 + 2 * NAMES.indexOf(fact)}::text[]`;
const unwanted = (fact: ItemFact) => `$${4 + 2 * NAMES.indexOf(fact)}::text[]`;
const further = (place: number, type: string) => `$${2 + 2 * NAMES.length + place}::${type}`;
const isAsked = (...facts: ItemFact[]) =>
  facts.map((fact) => `${wanted(fact)} is not null or ${unwanted(fact)} is not null`).join(" or ");

const AT = {
  ids: further(1, "int8multirange"),
  attemptsLeast: further(2, "int"),
  attemptsMost: further(3, "int"),
  olderMs: further(4, "float8"),
  newerMs: further(5, "float8"),
  word: further(6, "text"),
  wordIds: further(7, "int8multirange"),
  verdicts: further(8, "jsonb"),
  texts: further(9, "jsonb"),
  lanes: further(10, "int[]"),
};

export interface ItemsAsked {
  readonly source: ItemSource;
  /** Only items before this one; a page's last, or where it stopped looking. */
  readonly before: string;
  readonly limit: number;
  /** One of these each. */
  readonly is: ItemFacts;
  /** None of these. */
  readonly not: ItemFacts;
  readonly ids: readonly { readonly low: string; readonly high: string }[] | null;
  readonly attemptsLeast: number | null;
  readonly attemptsMost: number | null;
  /** Since it ended; of what lives, since it was submitted. */
  readonly olderMs: number | null;
  readonly newerMs: number | null;
  /** The beginning of a key, or of an id. */
  readonly word: string | null;
  readonly wordIds: readonly { readonly low: string; readonly high: string }[];
  /** What is told of due items, where somebody asks for that. */
  readonly verdicts: readonly Verdict[];
  readonly texts: ItemTexts;
  /** The source "lanes" looks there. */
  readonly lanes: readonly number[];
}

const ago = (ms: string) => `sluice.now() - ${ms} * interval '1 millisecond'`;
const age = "coalesce(i.finished_at, i.created_at)";
const attempts = "coalesce(r.attempts, last.attempt, 0)";

const conditions = [
  ...NAMES.flatMap((fact) => [
    `(${wanted(fact)} is null or ${FACTS[fact]} = any (${wanted(fact)}))`,
    `(${unwanted(fact)} is null or not coalesce(${FACTS[fact]} = any (${unwanted(fact)}), false))`,
  ]),
  `(${AT.ids} is null or ${AT.ids} @> i.id)`,
  `(${AT.attemptsLeast} is null or ${attempts} >= ${AT.attemptsLeast})`,
  `(${AT.attemptsMost} is null or ${attempts} <= ${AT.attemptsMost})`,
  `(${AT.olderMs} is null or ${age} < ${ago(AT.olderMs)})`,
  `(${AT.newerMs} is null or ${age} >= ${ago(AT.newerMs)})`,
  `(${AT.word} is null or starts_with(i.key, ${AT.word}) or ${AT.wordIds} @> i.id or ${hasWord(AT.texts, "i.title")})`,
  ...textConditions(AT.texts),
].join("\n    and ");

/** How it ended, or its last fault while it lives. */
const lastOf = (item: string, state: string) =>
  `j.item_id = ${item} and case when ${state} = 0 then j.kind = 8 else j.ended <> 0 end
  order by j.version desc
  limit 1`;

const textOf = (source: ItemSource) => `
with looked as materialized (${lookOf(source, { wanted, ...AT })}),
matching as materialized (
  select i.id, i.request_id, i.pipeline_id, i.state as end_state, i.owner, i.key, i.title, i.part, i.priority, i.created_at, i.finished_at,
    r.state as run_state, r.stage as run_stage, r.reason, r.ready_at, r.since, r.begun_at is not null as has_begun,
    coalesce(r.ready_at <= sluice.now(), false) as is_due, r.attempts, r.progress
  -- In their order from the first to the last, so that it ends with a full page.
  from (select id from looked order by id desc) l
  -- "limit 1" keeps these probes: as joins they became scans of whole tables where those are small, or said to be.
  cross join lateral (select x.* from sluice.item x where x.id = l.id limit 1) i
  cross join lateral (select x.name, x.version, x.stages from sluice.pipeline x where x.id = i.pipeline_id limit 1) p
  left join lateral (select x.* from sluice.run x where x.id = l.id limit 1) r on true
  -- Only where somebody asks for what they know.
  left join lateral (
    select j.stage, j.attempt, j.code, j.message from sluice.journal j
    where (${isAsked("code")} or ${asksMessage(AT.texts)} or (r.id is null and (${isAsked("stage")} or ${AT.attemptsLeast} is not null or ${AT.attemptsMost} is not null)))
      and ${lastOf("i.id", "i.state")}) last on true
  left join lateral (select x.service from sluice.lane x where (${isAsked("service")}) and x.id = r.lane limit 1) lane on true
  left join lateral (select x.name from sluice.worker x where (${isAsked("worker")}) and x.epoch = r.epoch limit 1) holder on true
  left join lateral (select ${reasonOf(AT.verdicts)} as reason where ${isAsked("reason")}) told on true
  where ${conditions}
  order by l.id desc
  limit $2
)
select m.*, p.name as pipeline, p.version as pipeline_version, p.stages, last.stage as last_stage,
  last.attempt as last_attempt, last.code, last.message, whole.parent_id as part_of, range.looked, range.low
from (select count(*)::int as looked, min(id) as low from looked) range
left join matching m on true
left join sluice.pipeline p on p.id = m.pipeline_id
left join lateral (
  select q.parent_id from sluice.request q where m.part is not null and q.id = m.request_id limit 1) whole on true
left join lateral (
  select j.stage, j.attempt, j.code, j.message from sluice.journal j
  where ${lastOf("m.id", "m.end_state")}) last on true
order by m.id desc`;

const STATEMENTS = new Map<ItemSource, Statement>();

function statementOf(source: ItemSource): Statement {
  const known = STATEMENTS.get(source);
  if (known !== undefined) return known;
  const made = { name: `list-items-${source}`, text: textOf(source) };
  STATEMENTS.set(source, made);
  return made;
}

/** The largest id of all is left out: a range is stored with what comes behind it, and behind that one nothing does. */
function multirange(ranges: NonNullable<ItemsAsked["ids"]>): string {
  return `{${ranges.map(({ low, high }) => `[${low},${high}${high === NEWEST ? ")" : "]"}`).join(",")}}`;
}

const verdictName = ({ lane, passes, key }: Verdict) =>
  `${lane}${passes ? " passes" : ""}${key === null ? "" : ` ${key}`}`;

export async function findItems(db: Queryable, asked: ItemsAsked): Promise<Found<ItemLineRow>> {
  const { before, limit, is, not, ids, attemptsLeast, attemptsMost, olderMs, newerMs, word, wordIds, verdicts, lanes } =
    asked;
  const values = [
    ...[before, limit],
    ...NAMES.flatMap((fact) => [is[fact] ?? null, not[fact] ?? null]),
    ...[ids === null ? null : multirange(ids), attemptsLeast, attemptsMost, olderMs, newerMs],
    ...[word, multirange(wordIds)],
    JSON.stringify(Object.fromEntries(verdicts.map((one) => [verdictName(one), one.reason]))),
    textsJson(asked.texts),
    // The last one, because no other text has it.
    ...(asked.source === "lanes" ? [lanes] : []),
  ];
  const rows = await db.query<Looked & (ItemLineRow | { readonly id: null })>(statementOf(asked.source), values);
  return toFound(rows, limit);
}
