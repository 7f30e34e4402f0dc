// Servers that films and episodes are delivered to, as somebody set them. Their secrets are the server's.

import type { Queryable, Statement } from "../../../engine/index.ts";

export interface ServerRow {
  readonly name: string;
  readonly kind: "folder" | "sftp";
  /** Null of a folder. */
  readonly host: string | null;
  readonly port: number;
  readonly username: string | null;
  readonly has_password: boolean;
  readonly has_private_key: boolean;
  /** As in "SHA256:47DEQpj8…"; null where nobody has been there yet. */
  readonly host_key: string | null;
  readonly root: string;
  /** Below the root; "" for the root itself. */
  readonly films: string;
  readonly series: string;
  readonly bytes_per_second: number | null;
  /** Of a target that names none. */
  readonly encoding: string | null;
  readonly is_default: boolean;
  readonly media_kind: "jellyfin" | "emby" | "plex" | null;
  readonly media_url: string | null;
  readonly has_media_key: boolean;
  /** The root, as the media server sees it. */
  readonly media_root: string | null;
}

const columns = `name, kind, host, port, username, has_password, has_private_key, host_key, root, films, series,
  bytes_per_second, encoding, is_default, media_kind, media_url, has_media_key, media_root`;
const read = columns.replace("bytes_per_second", "bytes_per_second::float8 as bytes_per_second");

const LIST: Statement = { name: "media-servers", text: `select ${read} from media.server order by name limit 50` };

export async function listServers(db: Queryable): Promise<ServerRow[]> {
  return await db.query<ServerRow>(LIST, []);
}

const FIND: Statement = { name: "media-server", text: `select ${read} from media.server where name = $1` };

export async function findServer(db: Queryable, name: string): Promise<ServerRow | undefined> {
  const [row] = await db.query<ServerRow>(FIND, [name]);
  return row;
}

const SET: Statement = {
  name: "media-set-server",
  text: `
insert into media.server (${columns})
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
on conflict (name) do update set kind = excluded.kind, host = excluded.host, port = excluded.port,
  username = excluded.username, has_password = excluded.has_password, has_private_key = excluded.has_private_key,
  host_key = excluded.host_key, root = excluded.root, films = excluded.films, series = excluded.series,
  bytes_per_second = excluded.bytes_per_second, encoding = excluded.encoding, is_default = excluded.is_default,
  media_kind = excluded.media_kind, media_url = excluded.media_url, has_media_key = excluded.has_media_key,
  media_root = excluded.media_root`,
};

export async function setServer(db: Queryable, row: ServerRow): Promise<void> {
  await db.query(SET, [
    ...[row.name, row.kind, row.host, row.port, row.username, row.has_password, row.has_private_key, row.host_key],
    ...[row.root, row.films, row.series, row.bytes_per_second, row.encoding, row.is_default],
    ...[row.media_kind, row.media_url, row.has_media_key, row.media_root],
  ]);
}

const DROP: Statement = {
  name: "media-drop-server",
  text: "delete from media.server where name = $1 returning name",
};

export async function dropServer(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(DROP, [name])).length === 1;
}

const PIN: Statement = {
  name: "media-pin-host-key",
  text: "update media.server set host_key = $2 where name = $1 and host = $3 and port = $4 and host_key is null",
};

/** Where nobody has been there before; whoever was first has said which one it is. */
export async function pinHostKey(
  db: Queryable,
  { name, host, port }: Pick<ServerRow, "name" | "host" | "port">,
  hostKey: string,
): Promise<void> {
  await db.query(PIN, [name, hostKey, host, port]);
}

const FORGET: Statement = {
  name: "media-forget-host-key",
  text: "update media.server set host_key = null where name = $1 returning name",
};

export async function forgetHostKey(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(FORGET, [name])).length === 1;
}
