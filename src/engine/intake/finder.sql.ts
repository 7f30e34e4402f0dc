// How far each finder has come, and whose turn it is.

import type { Queryable, Statement } from "../db/database.ts";

const REGISTER: Statement = {
  name: "register-finders",
  text: `
insert into sluice.finder as f (name, every_ms, due_at)
select u.name, u.every_ms, sluice.now() from unnest($1::text[], $2::float8[]) u (name, every_ms)
on conflict (name) do update
set every_ms = excluded.every_ms,
  due_at = least(f.due_at, sluice.now() + excluded.every_ms * interval '1 millisecond')
where f.every_ms <> excluded.every_ms`,
};

export async function registerFinders(
  db: Queryable,
  finders: readonly { readonly name: string; readonly everyMs: number }[],
): Promise<void> {
  await db.query(REGISTER, [finders.map((one) => one.name), finders.map((one) => one.everyMs)]);
}

export interface TakenFinder {
  readonly name: string;
  readonly version: string;
  readonly after: unknown;
  readonly failures: number;
}

const TAKE: Statement = {
  name: "take-finders",
  text: `
update sluice.finder f
set epoch = $2, version = f.version + 1
where f.name = any ($1::text[]) and not f.is_paused
  -- After a clock that jumped back, "due" may lie far in the future; what no pause or backoff reaches is not believed.
  and (f.due_at <= sluice.now()
    or f.due_at > sluice.now() + greatest(2 * f.every_ms, 7200000) * interval '1 millisecond')
  -- Its own holder, too: after a lost answer it does not know that it has it.
  and (f.epoch is null or f.epoch = $2
    or not exists (select from sluice.worker w where w.epoch = f.epoch and w.state = 0))
returning f.name, f.version, f.after, f.failures`,
};

/** Those of them that are due and that nobody who lives is busy with. From now on they are this worker's. */
export async function takeFinders(db: Queryable, names: readonly string[], epoch: string): Promise<TakenFinder[]> {
  return await db.query<TakenFinder>(TAKE, [names, epoch]);
}

const MOVE_ON: Statement = {
  name: "move-finder",
  text: `
update sluice.finder f
set version = f.version + 1, after = coalesce($3::jsonb, f.after), epoch = case when $5::boolean then f.epoch end,
  due_at = sluice.now() + $4::float8 * interval '1 millisecond', ran_at = sluice.now(), found = $6, fresh = $7, known = $8,
  failures = 0, code = null, message = null
where f.name = $1 and f.version = $2
returning f.version`,
};

export interface FinderMove {
  /** JSON text; null leaves it as it is. */
  readonly after: string | null;
  readonly dueInMs: number;
  /** The next page follows at once, by the same worker. */
  readonly goesOn: boolean;
  readonly found: number;
  readonly fresh: number;
  readonly known: number;
}

/** Its new version; undefined when it is somebody else's by now, and then nothing of the page may be kept. */
export async function moveFinder(
  tx: Queryable,
  held: { readonly name: string; readonly version: string },
  move: FinderMove,
): Promise<string | undefined> {
  const { after, dueInMs, goesOn, found, fresh, known } = move;
  const values = [held.name, held.version, after, dueInMs, goesOn, found, fresh, known];
  const [row] = await tx.query<{ version: string }>(MOVE_ON, values);
  return row?.version;
}

const FAIL: Statement = {
  name: "fail-finder",
  text: `
update sluice.finder f
set version = f.version + 1, epoch = null, due_at = sluice.now() + $3::float8 * interval '1 millisecond',
  ran_at = sluice.now(), failures = f.failures + 1, code = $4, message = $5
where f.name = $1 and f.version = $2`,
};

export async function failFinder(
  db: Queryable,
  held: { readonly name: string; readonly version: string },
  fault: { readonly code: string; readonly message: string },
  dueInMs: number,
): Promise<void> {
  await db.query(FAIL, [held.name, held.version, dueInMs, fault.code, fault.message]);
}

const REWIND: Statement = {
  name: "rewind-finder",
  text: `
with rewound as (
  -- A page that is just being looked for began elsewhere: its version is refused.
  update sluice.finder f
  set version = f.version + 1, after = $2::jsonb, epoch = null, due_at = sluice.now()
  where f.name = $1
  returning f.name
)
insert into sluice.audit (at, actor, action, detail)
select sluice.now(), $3, 'finder.rewind', jsonb_build_object('finder', name, 'after', $2::jsonb) from rewound
returning id`,
};

export async function rewindFinder(db: Queryable, name: string, after: string, actor: string): Promise<boolean> {
  return (await db.query(REWIND, [name, after, actor])).length === 1;
}

const RUN_NOW: Statement = {
  name: "run-finder",
  text: `
with hurried as (
  update sluice.finder f set due_at = least(f.due_at, sluice.now()) where f.name = $1 and not f.is_paused returning f.name
)
insert into sluice.audit (at, actor, action, detail)
select sluice.now(), $2, 'finder.run', jsonb_build_object('finder', name) from hurried
returning id`,
};

/** False when it is paused, or does not exist. */
export async function hurryFinder(db: Queryable, name: string, actor: string): Promise<boolean> {
  return (await db.query(RUN_NOW, [name, actor])).length === 1;
}

const SET_PAUSE: Statement = {
  name: "pause-finder",
  text: `
with changed as (
  -- A page that is just being looked for is refused by its version. What is resumed looks at once.
  update sluice.finder f
  set is_paused = $2, version = f.version + 1, epoch = null, due_at = case when $2 then f.due_at else sluice.now() end
  where f.name = $1 and f.is_paused <> $2
  returning f.name
)
insert into sluice.audit (at, actor, action, detail)
select sluice.now(), $3, case when $2 then 'finder.pause' else 'finder.resume' end, jsonb_build_object('finder', name) from changed
returning id`,
};

/** False when it is so already, or does not exist. */
export async function setFinderPause(db: Queryable, name: string, isPaused: boolean, actor: string): Promise<boolean> {
  return (await db.query(SET_PAUSE, [name, isPaused, actor])).length === 1;
}
