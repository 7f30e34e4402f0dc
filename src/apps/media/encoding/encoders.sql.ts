// Encoders as the board knows them.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { EncoderSelf, TrialReport, Way } from "./conversation.ts";

export interface EncoderRow {
  readonly name: string;
  readonly place: "local" | "remote";
  readonly version: string;
  readonly about: EncoderSelf;
  readonly slots: number;
  readonly is_on: boolean;
  readonly added_at: Date;
  readonly heard_at: Date;
  readonly left_at: Date | null;
  readonly is_online: boolean;
  readonly reads: Way | null;
  readonly writes: Way | null;
  readonly trial: string | null;
  readonly tried: TrialReport | null;
}

/** Of `e`: it has been heard of within so many milliseconds, and has not said goodbye. */
export const isOnline = (lostMs: string): string =>
  `(e.left_at is null and e.heard_at > sluice.now() - ${lostMs}::float8 * interval '1 millisecond')`;

const columns = `e.name, e.place, e.version, e.about, e.slots, e.is_on, e.added_at, e.heard_at, e.left_at, e.reads, e.writes,
  e.trial, e.tried, ${isOnline("$1")} as is_online`;

const LIST: Statement = {
  name: "media-encoders",
  text: `select ${columns} from media.encoder e order by e.name limit 500`,
};

export async function listEncoders(db: Queryable, lostMs: number): Promise<EncoderRow[]> {
  return await db.query<EncoderRow>(LIST, [lostMs]);
}

const ONE: Statement = { name: "media-encoder", text: `select ${columns} from media.encoder e where e.name = $2` };

export async function findEncoder(db: Queryable, name: string, lostMs: number): Promise<EncoderRow | undefined> {
  const [row] = await db.query<EncoderRow>(ONE, [lostMs, name]);
  return row;
}

const HEAR: Statement = {
  name: "media-hear-encoder",
  text: `
insert into media.encoder as e (name, place, life, version, about, codecs, audio_codecs, slots, added_at, heard_at, key_id)
values ($2, $3, $4, $5, $6::jsonb, $7::text[], $8::text[], $9, sluice.now(), sluice.now(), $12)
on conflict (name) do update
set place = excluded.place, life = excluded.life, version = excluded.version, about = excluded.about,
  codecs = excluded.codecs, audio_codecs = excluded.audio_codecs, slots = excluded.slots, heard_at = excluded.heard_at,
  left_at = case when $11 then sluice.now() end, key_id = coalesce(excluded.key_id, e.key_id)
where (e.life = excluded.life or $10 and (e.place = excluded.place or not ${isOnline("$1")}))
  and (e.key_id is null or excluded.key_id is null or e.key_id = excluded.key_id or $10 and not ${isOnline("$1")})
returning e.is_on, e.trial`,
};

const OF_KEY: Statement = { name: "media-encoder-of-key", text: "select name from media.encoder where key_id = $1" };

/** Whose key it is; undefined while it is nobody's. */
export async function encoderOfKey(tx: Queryable, key: string): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(OF_KEY, [key]);
  return row?.name;
}

/** An encoder that speaks. */
export interface Caller {
  readonly name: string;
  readonly place: EncoderRow["place"];
  /** What it was let in with; null for one in this process, and for a person who tries it out. */
  readonly key: string | null;
}

export interface HeardEncoder extends Caller {
  readonly life: string;
  readonly version: string;
  readonly self: EncoderSelf;
  readonly slots: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Undefined where another has its name, or it is another key's while that one is online. The row is locked for the rest of the transaction. */
export async function hearEncoder(
  tx: Queryable,
  { name, place, key, life, version, self, slots, isFirst, isLast }: HeardEncoder,
  lostMs: number,
): Promise<{ readonly is_on: boolean; readonly trial: string | null } | undefined> {
  const { codecs, audioCodecs } = self;
  const about = JSON.stringify(self);
  const values = [lostMs, name, place, life, version, about, codecs, audioCodecs, slots, isFirst, isLast, key];
  const [row] = await tx.query<{ is_on: boolean; trial: string | null }>(HEAR, values);
  return row;
}

const WAYS: Statement = {
  name: "media-encoder-ways",
  text: "update media.encoder set reads = coalesce($2, reads), writes = coalesce($3, writes) where name = $1",
};

export async function noteWays(tx: Queryable, name: string, reads: Way | null, writes: Way | null): Promise<void> {
  await tx.query(WAYS, [name, reads, writes]);
}

const SWITCH: Statement = {
  name: "media-switch-encoder",
  text: "update media.encoder set is_on = $2 where name = $1 returning name",
};

export async function switchEncoder(tx: Queryable, name: string, isOn: boolean): Promise<boolean> {
  return (await tx.query(SWITCH, [name, isOn])).length === 1;
}

const DROP: Statement = { name: "media-drop-encoder", text: "delete from media.encoder where name = $1" };

export async function dropEncoder(tx: Queryable, name: string): Promise<void> {
  await tx.query(DROP, [name]);
}

const ASK_TRIAL: Statement = {
  name: "media-ask-trial",
  text: "update media.encoder set trial = $2, tried = null where name = $1",
};

export async function askTrial(db: Queryable, name: string, trial: string): Promise<void> {
  await db.query(ASK_TRIAL, [name, trial]);
}

const KEEP_TRIAL: Statement = {
  name: "media-keep-trial",
  text: "update media.encoder set trial = null, tried = $3::jsonb where name = $1 and trial = $2",
};

export async function keepTrial(tx: Queryable, name: string, tried: TrialReport): Promise<void> {
  await tx.query(KEEP_TRIAL, [name, tried.trial, JSON.stringify(tried)]);
}

const ABLE: Statement = {
  name: "media-able-encoders",
  text: `
select e.name from media.encoder e
where e.is_on and ${isOnline("$1")} and $2 = any (e.codecs) and ($3::text is null or $3 = any (e.audio_codecs))
order by e.name limit 100`,
};

/** Who could make it now. */
export async function ableEncoders(
  db: Queryable,
  { codec, audio }: { readonly codec: string; readonly audio: string | null },
  lostMs: number,
): Promise<string[]> {
  return (await db.query<{ name: string }>(ABLE, [lostMs, codec, audio])).map(({ name }) => name);
}
