// The media pipelines on PostgreSQL with real servers to deliver to; what comes before is in memory, and its files on the disk. The same in
// another process by its places alone.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { newestServer } from "../../src/apps/media/clients/servers.ts";
import { ask, type MediaLimits, mediaPipelines, mediaStore, readCard, Setbacks } from "../../src/apps/media/index.ts";
import { fakeIndexer, fakeMetadata, fakeTorrents } from "../../src/connectors/index.ts";
import { openSluice, openTables, type RequestId, SluiceError } from "../../src/engine/index.ts";
import { boardOn } from "../support/boards.ts";
import { until } from "../support/until.ts";
import { FOLDER, makeRelease } from "./media-world.ts";

export interface DeliveryPlaces {
  readonly database: string;
  /** Where downloads lie. */
  readonly disk: string;
  /** By their names. */
  readonly secrets: Readonly<Record<string, string>>;
}

const WORDS = [
  "Alpha",
  "Bravo",
  "Charlie",
  "Delta",
  "Echo",
  "Foxtrot",
  "Golf",
  "Hotel",
  "India",
  "Juliet",
  "Kilo",
  "Lima",
  "Mike",
  "November",
];
const MEGABYTES = 4;

/** Each of another content. */
export const FILMS = WORDS.map((word, index) => {
  const name = `${word}.Proof.2001.1080p.BluRay.x265-GOOD`;
  const made = makeRelease({ name, padBytes: MEGABYTES * 1_000_000 });
  const [file] = made.published.files;
  const content = file?.content ?? Buffer.alloc(0);
  const to = `Films/${word} Proof (2001) {tmdb-${100 + index}}/${word} Proof (2001) {tmdb-${100 + index}}.mkv`;
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { tmdb: 100 + index, title: `${word} Proof`, made, to, sha256, bytes: content.byteLength };
});
export type ProofFilm = (typeof FILMS)[number];

export const sha256Of = (path: string): string | null =>
  existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : null;

const LIMITS: Partial<MediaLimits> = {
  ...{ every: "500ms", indexerRate: "100/s", leftoversEvery: "1s", fullAgain: "1s" },
  backoff: { base: "1s", cap: "2s", jitter: "0%" },
  breaker: { failures: 1, items: 1, cooldown: "2s" },
};

export async function openDelivering({ database, disk, secrets }: DeliveryPlaces, isIdle = false) {
  const metadata = fakeMetadata({
    films: FILMS.map(({ tmdb: id, title }) => ({
      ...{ id, title, date: "2001-01-10", runtimeMinutes: 60, originalLanguage: "en" },
    })),
  });
  const indexer = fakeIndexer({ title: "main", service: "indexer:main" });
  const torrents = fakeTorrents({ folder: FOLDER, service: "torrents:main" });
  for (const { made } of FILMS) {
    indexer.world.add(made.offer);
    torrents.world.publish(made.published, 1);
    for (const { path, content } of made.published.files) {
      const file = `${disk}/${made.infohash}/${path}`;
      mkdirSync(dirname(file), { recursive: true });
      if (!existsSync(file)) writeFileSync(file, content);
    }
  }
  const client = {
    setbacks: new Setbacks(),
    place: async () => ({ folder: FOLDER, paths: [{ theirs: FOLDER, ours: disk }] }),
    torrents: {
      ...torrents.client,
      look: async (signal?: AbortSignal) => {
        torrents.world.tick();
        return await torrents.client.look(signal);
      },
    },
  };
  const own = await openTables({ database });
  const db = async () => own.tables;
  const [store, board] = [mediaStore(db), boardOn(db)];
  const probe = {
    facts: async () => ({
      ...{ format: "matroska,webm", durationMs: 60_000, lastPacketMs: 59_960 },
      streams: [{ kind: "video" as const, codec: "h264", width: 320, height: 180, language: null, isPicture: false }],
    }),
  };
  const fileBytes = async (path: string) => (await lstat(path).catch(() => null))?.size ?? null;
  const { media, series, leftovers } = mediaPipelines({ store, probe, fileBytes, board }, LIMITS);
  const keeper = {
    get: async (name: string) => {
      const text = secrets[name];
      if (text === undefined) throw new SluiceError("NOT_FOUND", `there is no secret ${name}`);
      return text;
    },
  };
  const sluice = await openSluice({
    ...{ pipelines: [media, series, leftovers.pipeline], finders: [leftovers.finder], database },
    ...(isIdle ? { worker: false as const } : {}),
    services: {
      encoders: board,
      metadata: metadata.metadata,
      indexer: () => indexer.indexer,
      torrents: () => client,
      server: (name: string) => newestServer({ db, secrets: keeper }, name),
    },
  });
  const ports = { sluice, media, series, store, services: { metadata: metadata.metadata } };
  const card = (request: RequestId) => readCard(sluice, request, { owner: null });
  return {
    ...{ sluice, card },
    async ask({ tmdb }: ProofFilm, names: readonly string[], policy: "best-effort" | "all-or-nothing" = "best-effort") {
      const targets = names.map((name) => ({ name }));
      const { request } = await ask(ports, { kind: "film", tmdb, targets, policy }, { owner: "mia", dryRun: false });
      if (request === null) throw new Error("something new has a request");
      const [item] = (await card(request)).items;
      if (item === undefined) throw new Error("a film is an item");
      return { request, item: item.item };
    },
    async states(request: RequestId) {
      const [item] = (await card(request)).items;
      return (
        item?.targets.map(({ server, state, code }) => `${server} ${state}${code === null ? "" : ` ${code}`}`) ?? []
      );
    },
    /** Until the request stands so. */
    async stands(request: RequestId, status: string, ms = 120_000): Promise<void> {
      let seen = "";
      await until(
        async () => {
          const found = await card(request).catch(() => undefined);
          seen = JSON.stringify([found?.status, found?.sentence, found?.items[0]?.targets]);
          return found?.status === status;
        },
        () => `${status}; seen last: ${seen}`,
        ms,
      );
    },
    async close() {
      await sluice.close();
      await own.close();
    },
  };
}
export type Delivering = Awaited<ReturnType<typeof openDelivering>>;
