// What a round costs while very many torrents stand in a download client and nothing moves.

import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import {
  type DownloadClient,
  MEDIA_TABLES,
  mediaPipelines,
  mediaStore,
  Setbacks,
  setClient,
  setIndexer,
} from "../../src/apps/media/index.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import { fakeIndexer, fakeMetadata, type Indexer, type Release, type Torrents } from "../../src/connectors/index.ts";
import { openSluice, prepareTables, type Sluice } from "../../src/engine/index.ts";
import { boardOn } from "../support/boards.ts";
import type { TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

export interface ManyOptions {
  readonly server: TestServer;
  readonly downloads: number;
  readonly rounds: number;
  readonly torrents: Torrents;
  /** Where downloads go. */
  readonly folder: string;
  /** All calls that reached the client so far, by what they were. */
  readonly calls: () => Readonly<Record<string, number>>;
}

export interface RoundCost {
  readonly downloads: number;
  readonly rounds: number;
  readonly seconds: number;
  /** What reached the client meanwhile. */
  readonly calls: Readonly<Record<string, number>>;
  /** Rows of items, runs, intents and history that are not as they were. */
  readonly rowsWritten: number;
  readonly walBytes: number;
  /** Of this process alone: the worker, and where the client is a fake that as well. */
  readonly cpuMs: number;
  /** How long the client took to answer. */
  readonly lookMs: number;
}

const EVERY_MS = 1_000;
const SUBMIT = 1_000;
const NEVER = "10h";

/** Puts them all to the client through the pipeline, waits until each is watched, and then lets rounds pass. */
export async function manyDownloads(options: ManyOptions): Promise<RoundCost> {
  const { server, downloads, rounds, calls } = options;
  const looks = new CountedRounds();
  const { sluice, media } = await open(options, looks);
  try {
    const numbers = Array.from({ length: downloads }, (_, index) => index + 1);
    for (let from = 0; from < downloads; from += SUBMIT) {
      const asked = numbers.slice(from, from + SUBMIT);
      const films = asked.map((tmdb) => ({
        kind: "film" as const,
        tmdb,
        title: titleOf(tmdb),
        profile: standardProfile,
      }));
      await sluice.submit(media, films);
    }
    await until(
      async () => (await count(sluice, "sluice.run where state = 2")) === downloads,
      "all are watched",
      1_800_000,
    );
    // Whoever learns of a job reads it once, and what nobody owns is looked for twice after the start.
    await passed(looks, 3);
    await until(async () => (await count(sluice, "sluice.run where state = 2")) === downloads, "all are watched");
    const before = { ...(await footprint(sluice)), calls: calls(), cpu: process.cpuUsage() };
    const [begun, tookMs, began] = [looks.begun, looks.tookMs, performance.now()];
    await passed(looks, rounds);
    const cpu = process.cpuUsage(before.cpu);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const looked = looks.begun - begun;
    const lookMs = Math.round((looks.tookMs - tookMs) / looked);
    const after = { ...(await footprint(sluice)), calls: calls() };
    return {
      ...{ downloads, rounds: looked, seconds, lookMs, calls: difference(before.calls, after.calls) },
      rowsWritten: changedRows(before.rows, after.rows),
      walBytes: Math.round((after.wal - before.wal) / looked),
      cpuMs: Math.round((cpu.user + cpu.system) / 1_000 / looked),
    };
  } finally {
    await sluice.close();
    await server.stop();
  }
}

async function open(options: ManyOptions, looks: CountedRounds) {
  let sluice: Sluice | undefined;
  const tables = async () => {
    if (sluice === undefined) throw new Error("not open");
    return sluice.tables;
  };
  const [store, board] = [mediaStore(tables), boardOn(tables)];
  const unlimited = "1000000/s";
  const { media, series } = mediaPipelines(
    {
      store,
      board,
      probe: { facts: () => Promise.reject(new Error("nothing ends here")) },
      fileBytes: async () => null,
    },
    {
      ...{ every: EVERY_MS, torrents: options.downloads, stallNever: NEVER, stallStopped: NEVER },
      ...{ metadataRate: unlimited, indexerRate: unlimited },
    },
  );
  const client: DownloadClient = {
    setbacks: looks,
    place: async () => ({ folder: options.folder, paths: [] }),
    torrents: timed(options.torrents, looks),
  };
  const films = Array.from({ length: options.downloads }, (_, index) => filmOf(index + 1));
  sluice = await openSluice({
    pipelines: [media, series],
    database: options.server.url(),
    worker: { concurrency: 100 },
    services: { metadata: fakeMetadata({ films }).metadata, indexer: () => everything(), torrents: () => client },
  });
  await prepareTables(sluice.tables, "media", MEDIA_TABLES);
  await setIndexer(sluice.tables, {
    ...{ name: "all", url: "http://all", has_key: false, categories: [], links: "public", priority: 25, is_on: true },
  });
  await setClient(sluice.tables, {
    ...{ name: "main", kind: "qbittorrent", url: "http://main", username: null, has_password: false, paths: [] },
    ...{ folder: options.folder, priority: 25, is_on: true },
  });
  return { sluice, media };
}

/** Asked once in every round, whatever the client is asked. */
class CountedRounds extends Setbacks {
  begun = 0;
  tookMs = 0;

  override marksOf(...all: Parameters<Setbacks["marksOf"]>): ReturnType<Setbacks["marksOf"]> {
    this.begun += 1;
    return super.marksOf(...all);
  }
}

function timed(torrents: Torrents, rounds: CountedRounds): Torrents {
  return {
    about: (...asked) => torrents.about(...asked),
    add: (...asked) => torrents.add(...asked),
    files: (...asked) => torrents.files(...asked),
    nudge: (...asked) => torrents.nudge(...asked),
    release: (...asked) => torrents.release(...asked),
    async look(...asked) {
      const began = performance.now();
      const seen = await torrents.look(...asked);
      rounds.tookMs += performance.now() - began;
      return seen;
    },
  };
}

const titleOf = (tmdb: number): string => `Harbour ${tmdb}`;
const filmOf = (id: number) => ({
  ...{ id, title: titleOf(id), date: "1999-05-01", runtimeMinutes: 60, originalLanguage: "en" },
});

/** Has one release of every film, which nobody seeds. */
function everything(): Indexer {
  const { indexer } = fakeIndexer({ title: "all", service: "indexer:all" });
  return {
    caps: (...asked) => indexer.caps(...asked),
    async search(wanted) {
      const tmdb = "tmdbId" in wanted ? wanted.tmdbId : null;
      return { releases: tmdb === null || tmdb === undefined ? [] : [releaseOf(tmdb)], unreadable: 0, isCut: false };
    },
    async fetchTorrent({ guid }) {
      const name = nameOf(Number(guid));
      const files = [{ path: `${name}.mkv`, content: Buffer.from(`${name}, and nobody has it`) }];
      return { file: makeTorrent({ name, files, announce: "http://127.0.0.1:9/announce" }).file };
    },
  };
}

const nameOf = (tmdb: number): string => `Harbour.${tmdb}.1999.1080p.BluRay.x265-GOOD`;
const releaseOf = (tmdb: number): Release => ({
  ...{ title: nameOf(tmdb), guid: String(tmdb), indexer: "all", protocol: "torrent", bytes: 2_000_000_000 },
  ...{ infohash: null, magnet: null, downloadUrl: null, infoUrl: null, seeders: 5, leechers: 0, grabs: null },
  ...{ categories: [2000], imdbId: null, tmdbId: tmdb, tvdbId: null, published: null },
  ...{ minimumRatio: null, minimumSeedMs: null, isFreeleech: false },
});

/** Every row as it was last written. */
async function footprint(sluice: Sluice) {
  const text = `
select 'run' as name, id::text as id, xmin::text as written from sluice.run
union all select 'item', id::text, xmin::text from sluice.item
union all select 'intent', key, xmin::text from sluice.intent
union all select 'journal', seq::text, xmin::text from sluice.journal
union all select 'request', id::text, xmin::text from sluice.request`;
  const rows = await sluice.tables.query<{ name: string; id: string; written: string }>(
    { name: "footprint", text },
    [],
  );
  const [place] = await sluice.tables.query<{ wal: number }>(
    { name: "wal", text: "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal" },
    [],
  );
  return { rows: new Map(rows.map(({ name, id, written }) => [`${name} ${id}`, written])), wal: place?.wal ?? 0 };
}

function changedRows(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): number {
  const written = [...after].filter(([id, at]) => before.get(id) !== at).length;
  return written + [...before.keys()].filter((id) => !after.has(id)).length;
}

function difference(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) {
  const changed = Object.entries(after).map(([name, times]) => [name, times - (before[name] ?? 0)] as const);
  return Object.fromEntries(changed.filter(([, times]) => times > 0));
}

async function count(sluice: Sluice, from: string): Promise<number> {
  const text = `select count(*)::int as n from ${from}`;
  const [row] = await sluice.tables.query<{ n: number }>({ name: text.slice(0, 60), text }, []);
  return row?.n ?? 0;
}

async function passed(looks: { readonly begun: number }, rounds: number): Promise<void> {
  const from = looks.begun;
  await until(() => looks.begun >= from + rounds, "rounds pass", 120_000 + rounds * EVERY_MS * 5);
}

/** What is not as it should be. */
export function tooDear({ rounds, calls, rowsWritten }: RoundCost, look: string): readonly string[] {
  const others = Object.keys(calls).filter((name) => name !== look);
  return [
    ...(calls[look] === rounds ? [] : [`${calls[look]} calls of ${look} in ${rounds} rounds`]),
    ...(others.length === 0 ? [] : [`${others.join(", ")} besides`]),
    ...(rowsWritten === 0 ? [] : [`${rowsWritten} rows of items were written, and nothing had changed`]),
  ];
}
