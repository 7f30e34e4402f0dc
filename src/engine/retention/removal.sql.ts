// Requests on their way out: those that somebody asked to have removed, and those whose time is over but something holds.

import type { Queryable, Statement } from "../db/database.ts";

const OF_KEY: Statement = {
  name: "requests-of-key",
  text: `
select q.id
from sluice.request q
where q.key = $2 and exists (
  select from sluice.item i
  join sluice.pipeline p on p.id = i.pipeline_id
  where i.request_id = q.id and p.name = $1)
order by q.id
limit 10000`,
};

/** All that was ever asked for under this key of this pipeline, and is still here. */
export async function requestsOfKey(db: Queryable, pipeline: string, key: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(OF_KEY, [pipeline, key]);
  return rows.map((row) => row.id);
}

// The keys are free from here on: who asks for the same again begins anew, and joins nothing that is about to go.
const ASK: Statement = {
  name: "ask-removal",
  text: `
with asked as materialized (
  select id from sluice.request where id = any ($1::bigint[]) and parent_id is null
),
freed as (delete from sluice.unique_key where request_id in (select id from asked)),
audit as (
  insert into sluice.audit (at, actor, action, request_id)
  select sluice.now(), $2, 'remove', id from asked
)
insert into sluice.removal as m (request_id, asked_by, asked_at, due_at)
select id, $2, sluice.now(), sluice.now() from asked
on conflict (request_id) do update
set asked_by = coalesce(m.asked_by, excluded.asked_by), due_at = excluded.due_at
returning m.request_id as id`,
};

/** Which of them are there to be removed. Children go with the item that made them, and are not asked for by themselves. */
export async function askRemoval(db: Queryable, requests: readonly string[], actor: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(ASK, [requests, actor]);
  return rows.map((row) => row.id);
}

const REMOVABLE: Statement = {
  name: "removable",
  text: `
select count(*)::int as requests, coalesce(sum(total), 0)::int as items
from sluice.request where id = any ($1::bigint[]) and parent_id is null`,
};

/** What asking for it would come to. */
export async function removable(
  db: Queryable,
  requests: readonly string[],
): Promise<{ readonly requests: number; readonly items: number }> {
  const [row] = await db.query<{ requests: number; items: number }>(REMOVABLE, [requests]);
  return row ?? { requests: 0, items: 0 };
}

const ASK_CHILDREN: Statement = {
  name: "ask-children",
  text: `
with child as materialized (
  select c.id from sluice.item i
  -- "offset 0" keeps it a look-up for each item.
  cross join lateral (select id from sluice.request where parent_id = i.id offset 0) c
  where i.request_id = any ($1::bigint[])
),
marked as (
  insert into sluice.removal as m (request_id, asked_by, asked_at, due_at)
  select id, $2, sluice.now(), 'infinity' from child
  on conflict (request_id) do update set asked_by = excluded.asked_by, due_at = excluded.due_at
)
select id from child order by id`,
};

/** What the items of these requests have spawned or made as parts goes with them. */
export async function askChildren(db: Queryable, requests: readonly string[], actor: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(ASK_CHILDREN, [requests, actor]);
  return rows.map((row) => row.id);
}

export interface DueRemoval {
  readonly request_id: string;
  /** Null for one whose time is over. */
  readonly asked_by: string | null;
}

// Taken by moving its time on: whoever dies with it in his hands costs it that time, nothing else.
const TAKE: Statement = {
  name: "take-removals",
  text: `
update sluice.removal m
set due_at = sluice.now() + case when m.asked_by is null then interval '1 day' else interval '10 seconds' end
where m.request_id in (
  select d.request_id from sluice.removal d
  where d.due_at <= sluice.now()
  order by d.due_at
  limit 50
  for update skip locked
)
returning m.request_id, m.asked_by`,
};

export async function takeRemovals(db: Queryable): Promise<DueRemoval[]> {
  return await db.query<DueRemoval>(TAKE, []);
}

const HOLD: Statement = {
  name: "hold-removal",
  text: `
insert into sluice.removal as m (request_id, asked_at, due_at, obstacle)
select u.id, sluice.now(), sluice.now() + interval '1 day', u.why
from unnest($1::bigint[], $2::text[]) u (id, why)
on conflict (request_id) do update set obstacle = excluded.obstacle`,
};

/** What keeps them, for people to read. */
export async function noteObstacles(db: Queryable, held: ReadonlyMap<string, string>): Promise<void> {
  if (held.size > 0) await db.query(HOLD, [[...held.keys()], [...held.values()]]);
}

const LET_GO: Statement = {
  name: "let-go-removal",
  text: `delete from sluice.removal where request_id = $1 and asked_by is null`,
};

/** Nothing holds it any more, or its time is not over after all: it is one like all others. */
export async function letGo(db: Queryable, request: string): Promise<void> {
  await db.query(LET_GO, [request]);
}

const OWED: Statement = {
  name: "removal-owes",
  text: `
select count(*)::int as owed
from sluice.item i
join sluice.intent n on n.item_id = i.id and n.over_at is null
where i.request_id = any ($1::bigint[])`,
};

/** How many things that may exist outside belong to these requests. */
export async function owedOf(db: Queryable, requests: readonly string[]): Promise<number> {
  const [row] = await db.query<{ owed: number }>(OWED, [requests]);
  return row?.owed ?? 0;
}
