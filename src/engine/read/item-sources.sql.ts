// Where a list of items looks: newest first by whichever index leads to the fewest others, and never at more than so many.

import { hasWord } from "./item-texts.sql.ts";
import { LOOKED_MOST } from "./page.ts";

/**
 * - owner, request, key, id: those and nothing else
 * - word: what a key or an id begins with, and of the newest what has it in its title; where nothing begins so, all
 * - worker: what those workers have in hand; held: what any of them has
 * - lanes: what is due in those lanes
 * - live: what has not ended
 * - ended: what failed or was cancelled
 * - open: what is not done, so both of these
 * - pipeline, all: in the order of items
 */
export type ItemSource =
  | "owner"
  | "request"
  | "key"
  | "id"
  | "word"
  | "worker"
  | "held"
  | "lanes"
  | "live"
  | "ended"
  | "open"
  | "pipeline"
  | "all";

/** Where the parameters are that a look goes by. */
export interface LookedBy {
  wanted(fact: "owner" | "request" | "key" | "state" | "worker" | "pipeline" | "version"): string;
  readonly ids: string;
  readonly word: string;
  readonly wordIds: string;
  readonly texts: string;
  readonly lanes: string;
}

const newest = (from: string) => `select x.id from ${from} x where x.id < $1::bigint`;
const inOrder = `order by x.id desc limit ${LOOKED_MOST}`;
const ALL = `${newest("sluice.item")} ${inOrder}`;
const LIVE = `${newest("sluice.run")} ${inOrder}`;

/** Of an item that failed, was retried and failed again, or was cancelled then, once. */
const ended = (states: string) => `
  select distinct x.id from (values (2::smallint, 'failed'), (3::smallint, 'cancelled')) v (ended, state)
  cross join lateral (
    select distinct j.item_id as id from sluice.journal j
    where j.item_id < $1::bigint and j.ended = v.ended and j.ended in (2, 3)
    order by 1 desc limit ${LOOKED_MOST}) x
  where ${states} is null or v.state = any (${states}) ${inOrder}`;

const each = (values: string, condition: string) => `
  select x.id from unnest(${values}) v (one)
  cross join lateral (${newest("sluice.item")} and ${condition} ${inOrder}) x ${inOrder}`;

const within = (ids: string) => `
  select x.id from unnest(${ids}) v (part)
  cross join lateral (${newest("sluice.item")} and x.id >= lower(v.part) and x.id < upper(v.part) ${inOrder}) x ${inOrder}`;

/** Of what is held, or due, little more than the number is read. There is hardly ever more held than workers have hands. */
const HELD_MOST = 5 * LOOKED_MOST;

/**
 * Few of very many, by an index in another order: all of them where they are few enough to be put in order, else `instead`.
 * "found" is in the order of that index, so that it is used whatever the planner thinks of its condition.
 */
const few = (found: string, most: number, instead: string) => `
  with few as materialized (select f.id from (${found}) f limit ${most + 1}),
  many as materialized (select count(*) > ${most} as yes from few)
  select x.id from (
    (select f.id from few f where f.id < $1::bigint and not (select yes from many))
    union all
    (select i.id from (${instead}) i where (select yes from many))) x ${inOrder}`;

/** A worker's items are those of its epoch, in each lane. One that ended and was cleared has none. */
const heldBy = (workers: string) => `
  select r.id from sluice.worker w
  cross join sluice.lane l
  cross join lateral (
    select x.id from sluice.run x where x.lane = l.id and x.epoch = w.epoch and x.state <> 0 limit ${HELD_MOST + 1}) r
  where w.name = any (${workers}) and w.cleared_at is null`;

const dueIn = (lanes: string) => `
  select r.id from unnest(${lanes}) v (lane)
  cross join (values (1), (2), (3), (4), (5)) level (priority)
  cross join lateral (
    select x.id from sluice.run x
    where x.lane = v.lane and x.state = 0 and x.priority = level.priority and x.ready_at <= sluice.now()
    order by x.ready_at, x.id limit ${HELD_MOST + 1}) r`;

/** No index leads to a title: by walking on from page to page it is found all the same, where nothing else is meant by the word. */
const named = (begins: string, texts: string) => `
  with named as materialized (select x.id from (${begins}) x ${inOrder}),
  any_named as materialized (select exists (select from named) as yes),
  newest as materialized (${ALL})
  select x.id from (
    (select n.id from named n)
    union
    (select n.id from newest n
    cross join lateral (select y.title from sluice.item y where y.id = n.id limit 1) i
    where not (select yes from any_named) or ${hasWord(texts, "i.title")})) x ${inOrder}`;

export function lookOf(source: ItemSource, by: LookedBy): string {
  switch (source) {
    case "owner":
      return each(by.wanted("owner"), "x.owner = v.one");
    case "request":
      return each(by.wanted("request"), "x.request_id = v.one::bigint");
    case "key":
      return each(by.wanted("key"), "x.key = v.one");
    case "id":
      return within(by.ids);
    case "word":
      return named(`(${within(by.wordIds)}) union (${few(beginning(by.word), LOOKED_MOST, ALL)})`, by.texts);
    case "worker":
      return few(heldBy(by.wanted("worker")), HELD_MOST, LIVE);
    case "held":
      return few("select x.id from sluice.run x where x.state <> 0 order by x.lane, x.epoch", HELD_MOST, LIVE);
    case "lanes":
      return few(dueIn(by.lanes), HELD_MOST, LIVE);
    case "live":
      return LIVE;
    case "ended":
      return ended(by.wanted("state"));
    case "open":
      return `select x.id from ((${LIVE}) union (${ended(by.wanted("state"))})) x ${inOrder}`;
    case "pipeline":
      return `
  select x.id from sluice.pipeline v
  cross join lateral (${newest("sluice.item")} and x.pipeline_id = v.id ${inOrder}) x
  where v.name = any (${by.wanted("pipeline")})
    and (${by.wanted("version")} is null or v.version::text = any (${by.wanted("version")})) ${inOrder}`;
    case "all":
      return ALL;
  }
}

/** Nothing that begins with it lies beyond it with the last of all characters behind it. */
const beginning = (word: string) => `
  select x.id from sluice.item x
  where x.key ~>=~ ${word} and x.key ~<~ (${word} || chr(1114111)) and x.key is not null
  order by x.key using ~<~`;
