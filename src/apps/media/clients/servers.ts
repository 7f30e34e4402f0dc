// What speaks to the servers that films are delivered to, made of what is set.

import {
  type Destination,
  emby,
  folderDestination,
  jellyfin,
  type MediaServer,
  plex,
  sftpDestination,
} from "../../../connectors/index.ts";
import { Fault, permanent, type Queryable } from "../../../engine/index.ts";
import type { SecretKeeper } from "../secrets.ts";
import { findServer, pinHostKey, type ServerRow } from "../settings/servers.sql.ts";
import { type KeyedServer, openSecrets } from "../settings/servers.ts";
import { Newest } from "./newest.ts";
import { opened } from "./opened.ts";

/** A configured server, and what is told that there is something new. */
export interface DeliveryServer {
  readonly destination: Destination;
  /** Has its media server look at a path below the root. Whatever comes of that, it is only told. */
  announce(path: string, signal: AbortSignal): Promise<Announced>;
}

export interface Announced {
  /** Null where nobody is to be told. */
  readonly ok: boolean | null;
  readonly code: string | null;
  readonly sentence: string | null;
}

/** Not waited for any longer: a delivery is done without it. */
const ANNOUNCE_MS = 20_000;

export interface ServerSources {
  readonly db: () => Promise<Queryable>;
  readonly secrets: Pick<SecretKeeper, "get">;
}

export function newestServer({ db, secrets }: ServerSources, name: string): DeliveryServer {
  const newest = new Newest(
    async (): Promise<KeyedServer> => {
      const tables = await db();
      const row = await findServer(tables, name);
      if (row === undefined)
        throw permanent("SERVER_NOT_SET", `there is no server ${name} any more`, { breaker: "none" });
      return { row, secrets: await openSecrets(row, (secret) => opened(secrets, secret, tables)) };
    },
    (set) => serverOf(set, async (hostKey) => pinHostKey(await db(), set.row, hostKey)),
  );
  const there = async () => (await newest.get()).destination;
  return {
    destination: {
      about: async (...asked) => (await there()).about(...asked),
      bytesAt: async (...asked) => (await there()).bytesAt(...asked),
      sha256At: async (...asked) => (await there()).sha256At(...asked),
      send: async (...asked) => (await there()).send(...asked),
      publish: async (...asked) => (await there()).publish(...asked),
      remove: async (...asked) => (await there()).remove(...asked),
    },
    announce: async (...asked) => (await newest.get()).announce(...asked),
  };
}

export function serverOf(set: KeyedServer, pin: (hostKey: string) => void | Promise<void>): DeliveryServer {
  const { row } = set;
  return {
    destination: destinationOf(set, pin),
    async announce(path, signal) {
      const server = mediaServerOf(set);
      if (server === null) return { ok: null, code: null, sentence: null };
      const theirs = theirPath(row, path);
      try {
        const { strange } = await server.refresh([theirs], AbortSignal.any([signal, AbortSignal.timeout(ANNOUNCE_MS)]));
        if (strange.length === 0) return { ok: true, code: null, sentence: null };
        return { ok: false, code: "IN_NO_LIBRARY", sentence: `${theirs} lies in none of its libraries` };
      } catch (error) {
        signal.throwIfAborted();
        const { code, message } = error instanceof Fault ? error : { code: "UNKNOWN", message: String(error) };
        return { ok: false, code, sentence: message };
      }
    },
  };
}

/** A path below the root, as the media server sees it. */
export function theirPath({ media_root }: Pick<ServerRow, "media_root">, path: string): string {
  const root = media_root ?? "";
  const isWindows = !root.startsWith("/");
  return `${root.replace(/[\\/]+$/, "")}${isWindows ? `\\${path.replaceAll("/", "\\")}` : `/${path}`}`;
}

function destinationOf({ row, secrets }: KeyedServer, pin: (hostKey: string) => void | Promise<void>): Destination {
  const { name, kind, root, bytes_per_second: bytesPerSecond } = row;
  const common = { service: `server:${name}`, root, bytesPerSecond };
  if (kind === "folder") return folderDestination(common);
  const { host, port, username, host_key: hostKey } = row;
  const { password, privateKey } = secrets;
  return sftpDestination({
    ...{ ...common, host: host ?? "", port, username: username ?? "", hostKey, onHostKey: pin },
    ...(privateKey === undefined ? { password } : { privateKey }),
  });
}

/** Null where nobody is to be told. */
export function mediaServerOf({ row, secrets: { mediaKey = "" } }: KeyedServer): MediaServer | null {
  const { name, media_kind: kind, media_url: baseUrl } = row;
  if (kind === null || baseUrl === null) return null;
  const where = { service: `media-server:${name}`, baseUrl };
  if (kind === "plex") return plex({ ...where, token: mediaKey });
  return kind === "emby" ? emby({ ...where, key: mediaKey }) : jellyfin({ ...where, key: mediaKey });
}
