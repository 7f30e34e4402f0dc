// The board: jobs are put there, given out, told of and taken off.

import type { EncodingProfile } from "../../../connectors/index.ts";
import type { Queryable, Statement } from "../../../engine/index.ts";
import type { Encoded } from "../encoded.ts";
import type { JobFailure, JobName, JobReport } from "./conversation.ts";
import { type Caller, isOnline } from "./encoders.sql.ts";

export interface NewJob {
  readonly key: string;
  readonly item: string;
  readonly encoding: string;
  readonly profile: EncodingProfile;
  readonly source: string;
  readonly sourceBytes: number;
  readonly folder: string;
  readonly marker: string;
  /** Where there is nothing to do. */
  readonly outcome: Encoded | null;
}

export const audioOf = ({ audio }: EncodingProfile): string | null => (audio.codec === "copy" ? null : audio.codec);

// Whoever let this item stand still is known by now.
const PUT: Statement = {
  name: "media-put-encode",
  text: `
insert into media.encode_job (key, item_id, encoding, profile, codec, audio, source, source_bytes, folder, marker, outcome, state,
  excluded, put_at, ended_at)
values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9, $10, $11::jsonb, case when $11::jsonb is null then 'waiting' else 'done' end,
  array (select s.encoder from media.encode_still s where s.item_id = $2), sluice.now(),
  case when $11::jsonb is not null then sluice.now() end)
on conflict (key) do nothing`,
};

export async function putJob(db: Queryable, job: NewJob): Promise<void> {
  const { key, item, encoding, profile, source, sourceBytes, folder, marker, outcome } = job;
  const told = outcome === null ? null : JSON.stringify(outcome);
  await db.query(PUT, [
    ...[key, item, encoding, JSON.stringify(profile), profile.codec, audioOf(profile)],
    ...[source, sourceBytes, folder, marker, told],
  ]);
}

export interface StandingJobRow {
  readonly key: string;
  readonly state: "waiting" | "given" | "done" | "failed";
  readonly turn: number;
  /** Its encoder is heard of. */
  readonly is_online: boolean;
  readonly report: JobReport | null;
  readonly outcome: Encoded | null;
  readonly fault: JobFailure | null;
}

const LOOK: Statement = {
  name: "media-look-encodes",
  text: `
select j.key, j.state, j.turn, coalesce(${isOnline("$2")}, false) as is_online, j.report, j.outcome, j.fault
from media.encode_job j left join media.encoder e on e.name = j.encoder
where j.key = any ($1::text[])`,
};

export async function lookAtJobs(db: Queryable, keys: readonly string[], lostMs: number): Promise<StandingJobRow[]> {
  return await db.query<StandingJobRow>(LOOK, [keys, lostMs]);
}

const LISTED: Statement = {
  name: "media-list-encodes",
  text: "select key, state from media.encode_job where starts_with(key, $1) order by key limit 100000",
};

export async function listJobs(db: Queryable, prefix: string): Promise<Pick<StandingJobRow, "key" | "state">[]> {
  return await db.query(LISTED, [prefix]);
}

const FOLDER: Statement = { name: "media-encode-folder", text: "select folder from media.encode_job where key = $1" };

export async function folderOf(db: Queryable, key: string): Promise<string | undefined> {
  const [row] = await db.query<{ folder: string }>(FOLDER, [key]);
  return row?.folder;
}

const TAKE_OFF: Statement = { name: "media-take-off-encode", text: "delete from media.encode_job where key = $1" };

export async function takeOff(db: Queryable, key: string): Promise<void> {
  await db.query(TAKE_OFF, [key]);
}

// Of items that are completed, and so delivered. What they need no more goes with a delay: somebody may replay one.
const OLD: Statement = {
  name: "media-old-encodes",
  text: `
select j.key from media.encode_job j join sluice.item i on i.id = j.item_id
where j.state = 'done' and i.state = 1 and i.finished_at < sluice.now() - $1::float8 * interval '1 millisecond'
order by j.put_at limit 100`,
};

export async function oldJobs(db: Queryable, keepMs: number): Promise<string[]> {
  return (await db.query<{ key: string }>(OLD, [keepMs])).map(({ key }) => key);
}

const FORGET_STILL: Statement = {
  name: "media-forget-still",
  text: `
delete from media.encode_still s
where not exists (select from sluice.item i where i.id = s.item_id and i.state = 0) and s.at < sluice.now() - interval '30 days'`,
};

/** Of items that have long ended. */
export async function forgetStill(db: Queryable): Promise<void> {
  await db.query(FORGET_STILL, []);
}

const STOOD_STILL: Statement = {
  name: "media-encode-still",
  text: `
insert into media.encode_still (item_id, encoder, at)
select j.item_id, j.encoder, sluice.now() from media.encode_job j where j.key = $1 and j.encoder is not null
on conflict (item_id, encoder) do update set at = excluded.at
returning encoder`,
};

/** Who had it is told. */
export async function noteStill(db: Queryable, key: string): Promise<string | undefined> {
  const [row] = await db.query<{ encoder: string }>(STOOD_STILL, [key]);
  return row?.encoder;
}

export interface GivenJobRow extends JobName {
  readonly profile: EncodingProfile;
  readonly source: string;
  readonly source_bytes: number;
  readonly folder: string;
  readonly marker: string;
}

const givenColumns = "j.key, j.turn, j.profile, j.source, j.source_bytes::float8 as source_bytes, j.folder, j.marker";

const GIVEN_TO: Statement = {
  name: "media-encodes-given-to",
  text: `select ${givenColumns} from media.encode_job j where j.state = 'given' and j.encoder = $1 order by j.given_at, j.key`,
};

export async function givenTo(db: Queryable, encoder: string): Promise<GivenJobRow[]> {
  return await db.query<GivenJobRow>(GIVEN_TO, [encoder]);
}

const HELD_BY: Statement = {
  name: "media-encode-held-by",
  text: `
select ${givenColumns} from media.encode_job j join media.encoder e on e.name = j.encoder
where j.key = $1 and j.turn = $2 and j.state = 'given' and j.encoder = $3 and ($4::text is null or e.key_id is null or e.key_id = $4)`,
};

/** Undefined where it is not theirs, or no longer. */
export async function heldBy(
  db: Queryable,
  { key, turn }: JobName,
  caller: Pick<Caller, "name" | "key">,
): Promise<GivenJobRow | undefined> {
  const [row] = await db.query<GivenJobRow>(HELD_BY, [key, turn, caller.name, caller.key]);
  return row;
}
