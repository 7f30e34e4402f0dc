// Encoding profiles as somebody set them.

import type { EncodingProfile } from "../../../connectors/index.ts";
import type { Queryable, Statement } from "../../../engine/index.ts";

export interface EncodingRow {
  readonly name: string;
  readonly profile: EncodingProfile;
}

const LIST: Statement = {
  name: "media-encodings",
  text: "select name, profile from media.encoding order by name limit 100",
};

export async function listEncodings(db: Queryable): Promise<EncodingRow[]> {
  return await db.query<EncodingRow>(LIST, []);
}

const SET: Statement = {
  name: "media-set-encoding",
  text: `
insert into media.encoding (name, profile) values ($1, $2::jsonb)
on conflict (name) do update set profile = excluded.profile`,
};

export async function setEncoding(db: Queryable, { name, profile }: EncodingRow): Promise<void> {
  await db.query(SET, [name, JSON.stringify(profile)]);
}

const DROP: Statement = {
  name: "media-drop-encoding",
  text: "delete from media.encoding where name = $1 returning name",
};

export async function dropEncoding(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(DROP, [name])).length === 1;
}
