// What speaks to the services of media, as a worker is given it: real clients, made of what is set.

import {
  embeddedTorrents,
  type Indexer,
  type Metadata,
  qbittorrent,
  type Torrents,
  type TorznabOptions,
  tmdb,
  torznab,
} from "../../../connectors/index.ts";
import { type Queryable, unavailable } from "../../../engine/index.ts";
import { proveHere } from "../place-proof.ts";
import { clientSecret, indexerSecret, METADATA_SECRET, type SecretKeeper } from "../secrets.ts";
import {
  type ClientRow,
  findClient,
  findIndexer,
  findMetadata,
  type IndexerRow,
  type MetadataRow,
} from "../settings/settings.sql.ts";
import type { DownloadClient } from "../stages/download.ts";
import { Setbacks } from "../stages/setbacks.ts";
import { Newest } from "./newest.ts";
import { notSet, opened } from "./opened.ts";
import { newestServer } from "./servers.ts";

/** Where the embedded download client is that runs with the server; undefined while there is none. */
export type EmbeddedPlace = () => Promise<
  { readonly url: string; readonly token: string; readonly folder: string } | undefined
>;

export interface ClientSources {
  readonly db: () => Promise<Queryable>;
  readonly secrets: Pick<SecretKeeper, "get">;
  readonly embedded: EmbeddedPlace;
}

export interface Keyed<Row> {
  readonly row: Row;
  readonly secret: string | undefined;
}

/** By the names of `mediaServices`. */
export function mediaClients(sources: ClientSources) {
  return {
    metadata: newestMetadata(sources),
    indexer: (name: string) => newestIndexer(sources, name),
    torrents: (name: string) => newestDownloadClient(sources, name),
    server: (name: string) => newestServer(sources, name),
  };
}

function newestMetadata({ db, secrets }: ClientSources): Metadata {
  const newest = new Newest(async () => {
    const tables = await db();
    const row = await findMetadata(tables);
    return { row, secret: row.has_key ? await opened(secrets, METADATA_SECRET, tables) : undefined };
  }, metadataOf);
  return {
    film: async (...asked) => (await newest.get()).film(...asked),
    series: async (...asked) => (await newest.get()).series(...asked),
    season: async (...asked) => (await newest.get()).season(...asked),
    searchFilms: async (...asked) => (await newest.get()).searchFilms(...asked),
    searchSeries: async (...asked) => (await newest.get()).searchSeries(...asked),
    findByImdb: async (...asked) => (await newest.get()).findByImdb(...asked),
    externalIds: async (...asked) => (await newest.get()).externalIds(...asked),
    image: async (...asked) => (await newest.get()).image(...asked),
  };
}

export function metadataOf({ row: { language, url }, secret }: Keyed<MetadataRow>): Metadata {
  // Nobody can be asked for anything until it is; with it set, one look lets all go on.
  if (secret === undefined) throw unavailable("METADATA_NOT_SET", "no key of TMDB is set", { breaker: "open" });
  return tmdb({
    ...{ service: "metadata", key: secret },
    ...(language === null ? {} : { language }),
    // A mirror has its images where TMDB has them.
    ...(url === null ? {} : { baseUrl: url, imagesUrl: new URL("/t/p/", url).href }),
  });
}

function newestIndexer({ db, secrets }: ClientSources, name: string): Indexer {
  const newest = new Newest(async () => {
    const tables = await db();
    const row = await findIndexer(tables, name);
    if (row === undefined) throw notSet("INDEXER_NOT_SET", `there is no indexer ${name} any more`);
    return { row, secret: row.has_key ? await opened(secrets, indexerSecret(name), tables) : undefined };
  }, indexerOf);
  return {
    caps: async (...asked) => (await newest.get()).caps(...asked),
    search: async (...asked) => (await newest.get()).search(...asked),
    fetchTorrent: async (...asked) => (await newest.get()).fetchTorrent(...asked),
  };
}

export function indexerOf(
  { row: { name, url, categories, links }, secret }: Keyed<IndexerRow>,
  options: Pick<TorznabOptions, "pages"> = {},
): Indexer {
  const of = (thousand: number) => categories.filter((one) => Math.floor(one / 1_000) === thousand);
  const [film, tv] = [of(2), of(5)];
  return torznab({
    ...{ ...options, service: `indexer:${name}`, baseUrl: url, links },
    ...(secret === undefined ? {} : { apiKey: secret }),
    categories: { ...(film.length === 0 ? {} : { film }), ...(tv.length === 0 ? {} : { tv }) },
  });
}

function newestDownloadClient({ db, secrets, embedded }: ClientSources, name: string): DownloadClient {
  const newest = new Newest(async (): Promise<PlacedClient> => {
    const tables = await db();
    const row = await findClient(tables, name);
    if (row === undefined) throw notSet("NO_DOWNLOAD_CLIENT", `there is no download client ${name} any more`);
    const secret = row.has_password ? await opened(secrets, clientSecret(name), tables) : undefined;
    return await placedClient({ row, secret }, embedded);
  }, downloadClientOf);
  return {
    torrents: {
      about: async (...asked) => (await newest.get()).torrents.about(...asked),
      add: async (...asked) => (await newest.get()).torrents.add(...asked),
      look: async (...asked) => (await newest.get()).torrents.look(...asked),
      files: async (...asked) => (await newest.get()).torrents.files(...asked),
      nudge: async (...asked) => (await newest.get()).torrents.nudge(...asked),
      release: async (...asked) => (await newest.get()).torrents.release(...asked),
    },
    place: async () => (await newest.get()).place(),
    ready: async () => proveHere(name, await (await newest.get()).place()),
    setbacks: new Setbacks(),
  };
}

export type PlacedClient = Keyed<ClientRow>;

/** The embedded one that runs with the server is where that says. */
export async function placedClient(found: PlacedClient, embedded: EmbeddedPlace): Promise<PlacedClient> {
  const { row } = found;
  if (row.kind !== "embedded" || row.url !== null) return found;
  const own = await embedded();
  if (own === undefined) throw unavailable("NOT_REACHED", "the embedded download client does not run on this machine");
  return { row: { ...row, url: own.url, folder: row.folder ?? own.folder }, secret: own.token };
}

export function downloadClientOf({ row, secret }: PlacedClient): Pick<DownloadClient, "torrents" | "place"> {
  const torrents = torrentsOf({ row, secret });
  // What it says of itself when it is asked for the first time; it does not move meanwhile.
  let own: Promise<string> | undefined;
  return {
    torrents,
    async place() {
      own ??= row.folder === null ? torrents.about().then(({ folder }) => folder) : Promise.resolve(row.folder);
      const folder = await own.catch((error: unknown) => {
        own = undefined;
        throw error;
      });
      return { folder, paths: row.paths };
    },
  };
}

function torrentsOf({ row: { name, kind, url, username }, secret }: PlacedClient): Torrents {
  if (url === null) throw notSet("NOT_REACHED", `nobody said where the download client ${name} is`);
  const where = { service: `torrents:${name}`, baseUrl: url };
  if (kind === "embedded") return embeddedTorrents({ ...where, token: secret ?? "" });
  if (username === null) return qbittorrent({ ...where, ...(secret === undefined ? {} : { apiKey: secret }) });
  return qbittorrent({ ...where, username, password: secret ?? "" });
}
