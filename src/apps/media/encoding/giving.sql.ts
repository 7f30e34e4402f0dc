// What changes on the board when an encoder speaks. Within one transaction, in which its row is locked.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { EncodedFile, KeptSource } from "../encoded.ts";
import type { JobFailure, JobName, JobReport } from "./conversation.ts";
import { type Caller, isOnline } from "./encoders.sql.ts";

const TELL: Statement = {
  name: "media-tell-encodes",
  text: `
update media.encode_job j set report = u.report
from unnest($2::text[], $3::int[], $4::jsonb[]) u (key, turn, report)
where j.key = u.key and j.turn = u.turn and j.encoder = $1 and j.state = 'given'`,
};

export async function tellJobs(tx: Queryable, encoder: string, jobs: readonly JobReport[]): Promise<void> {
  const [keys, turns] = [jobs.map(({ key }) => key), jobs.map(({ turn }) => turn)];
  await tx.query(TELL, [encoder, keys, turns, jobs.map((one) => JSON.stringify(one))]);
}

const END: Statement = {
  name: "media-end-encode",
  text: `
update media.encode_job j set state = 'done', outcome = $4::jsonb, ended_at = sluice.now(), trouble = null
where j.key = $1 and j.turn = $2 and j.encoder = $3 and j.state = 'given'`,
};

export async function endJob(
  tx: Queryable,
  { key, turn }: JobName,
  encoder: string,
  outcome: EncodedFile | KeptSource,
): Promise<void> {
  await tx.query(END, [key, turn, encoder, JSON.stringify(outcome)]);
}

const FAIL: Statement = {
  name: "media-fail-encode",
  text: `
update media.encode_job j set state = 'failed', fault = $4::jsonb, ended_at = sluice.now()
where j.key = $1 and j.turn = $2 and j.encoder = $3 and j.state = 'given'`,
};

export async function failJob(
  tx: Queryable,
  { key, turn }: JobName,
  encoder: string,
  failure: JobFailure,
): Promise<void> {
  await tx.query(FAIL, [key, turn, encoder, JSON.stringify(failure)]);
}

const ENDED: Statement = {
  name: "media-encodes-ended",
  text: `
select j.key, j.turn from media.encode_job j
join unnest($2::text[], $3::int[]) u (key, turn) on u.key = j.key and u.turn = j.turn
where j.encoder = $1 and j.state in ('done', 'failed')`,
};

/** Which of them it has told the end of before: the answer may not have arrived. */
export async function endedBefore(tx: Queryable, encoder: string, jobs: readonly JobName[]): Promise<JobName[]> {
  const [keys, turns] = [jobs.map(({ key }) => key), jobs.map(({ turn }) => turn)];
  return await tx.query<JobName>(ENDED, [encoder, keys, turns]);
}

const PUT_BACK: Statement = {
  name: "media-put-back-encode",
  text: `
update media.encode_job j set state = 'waiting', encoder = null, report = null, trouble = $4,
  not_before = sluice.now() + $5::float8 * interval '1 millisecond'
where j.key = $1 and j.turn = $2 and j.encoder = $3 and j.state = 'given'`,
};

/** What kept it from being done is not its own doing: it waits again, a while. */
export async function putBack(
  tx: Queryable,
  { key, turn }: JobName,
  encoder: string,
  { trouble, afterMs }: { readonly trouble: string; readonly afterMs: number },
): Promise<void> {
  await tx.query(PUT_BACK, [key, turn, encoder, trouble, afterMs]);
}

const LEAVE: Statement = {
  name: "media-leave-encodes",
  text: `
update media.encode_job j set state = 'waiting', encoder = null, report = null, trouble = $2
where j.encoder = $1 and j.state = 'given'`,
};

/** All that it has are others' from now on. */
export async function leaveAll(tx: Queryable, encoder: string, trouble: string): Promise<void> {
  await tx.query(LEAVE, [encoder, trouble]);
}

// Of `j` and `me`: it waits, or its encoder is no longer heard of. Whoever let one stand still is last: it gets it only where no other could.
const isForMe = `(j.state = 'waiting' and (j.not_before is null or j.not_before <= sluice.now())
      or j.state = 'given' and j.encoder <> me.name
        and not exists (select from media.encoder e where e.name = j.encoder and ${isOnline("$1")}))
    and j.codec = any (me.codecs) and (j.audio is null or j.audio = any (me.audio_codecs))
    and (me.name <> all (j.excluded) or not exists (
      select from media.encoder e where e.name <> all (j.excluded) and e.is_on and ${isOnline("$1")}
        and j.codec = any (e.codecs) and (j.audio is null or j.audio = any (e.audio_codecs))))`;

const freeOf = (encoder: string): string =>
  `${encoder}.slots - (select count(*) from media.encode_job j where j.encoder = ${encoder}.name and j.state = 'given')`;

// Each encoder as many as it has room for.
const GIVE: Statement = {
  name: "media-give-encodes",
  text: `
with me as (
  select e.name, e.codecs, e.audio_codecs, ${freeOf("e")} as free
  from media.encoder e where e.name = $2 and e.is_on and e.left_at is null
), taken as (
  select j.key from media.encode_job j, me
  where ${isForMe}
  order by j.put_at, j.key
  limit (select greatest(0, free) from me)
  for update of j skip locked
)
update media.encode_job j
set state = 'given', encoder = $2, turn = j.turn + 1, given_at = sluice.now(), report = null, not_before = null
from taken where taken.key = j.key`,
};

export async function giveJobs(tx: Queryable, encoder: string, lostMs: number): Promise<void> {
  await tx.query(GIVE, [lostMs, encoder]);
}

// What it would be told if it spoke: something to begin, something to let go of, a test.
const NEWS: Statement = {
  name: "media-encoder-news",
  text: `
with me as (
  select e.name, e.codecs, e.audio_codecs, e.trial, e.is_on and ${freeOf("e")} > 0 as is_free
  from media.encoder e where e.name = $2 and e.left_at is null and ($3::text is null or e.key_id = $3)
), told as (
  select u.key, u.turn from unnest($4::text[], $5::int[]) u (key, turn)
), mine as (
  select j.key, j.turn from media.encode_job j, me where j.encoder = me.name and j.state = 'given'
)
select me.trial is not null
  or exists (select from told where not exists (select from mine where mine.key = told.key and mine.turn = told.turn))
  or exists (select from mine where not exists (select from told where told.key = mine.key and told.turn = mine.turn))
  or me.is_free and exists (select from media.encode_job j where j.state in ('waiting', 'given') and ${isForMe}) as is_news
from me`,
};

/** Whether it is worth its while to speak, with what it says it has. */
export async function hasNews(
  db: Queryable,
  { name, key }: Pick<Caller, "name" | "key">,
  jobs: readonly JobName[],
  lostMs: number,
): Promise<boolean> {
  const told = [jobs.map((one) => one.key), jobs.map((one) => one.turn)];
  const [row] = await db.query<{ is_news: boolean }>(NEWS, [lostMs, name, key, ...told]);
  return row?.is_news ?? false;
}
