// The media pipelines: search → download, for a film or an episode; and the one that tells a series' episodes.

import { back, child, type Duration, definePipeline, done, unavailable } from "../../engine/index.ts";
import { giveBack } from "./found.ts";
import type { MediaPorts } from "./ports.ts";
import { checkPlan, planEpisodes, seasonsAsked } from "./series.ts";
import { clients, metadata } from "./services.ts";
import {
  adoptTorrent,
  listTorrents,
  lookAtTorrents,
  releaseTorrent,
  sourceOf,
  startTorrent,
} from "./stages/download.ts";
import { downloadGates } from "./stages/gates.ts";
import { finishDownload } from "./stages/own-file.ts";
import { search } from "./stages/search.ts";
import { seriesAsked, type WantedItem, wanted } from "./wanted.ts";

export interface MediaLimits {
  /** How often clients are looked at. */
  readonly every?: Duration;
  /** Without metadata or a single byte, and without another byte. */
  readonly stallNever?: Duration;
  readonly stallStopped?: Duration;
}

const RETRIES = { attempts: 5, backoff: { base: "1m", cap: "30m", jitter: "10%" } } as const;

export function mediaPipeline(ports: MediaPorts, limits: MediaLimits = {}) {
  const { every = "5s", stallNever = "10m", stallStopped = "30m" } = limits;
  return definePipeline("media", { version: 1, input: wanted, title: titleOf })
    .stage("search", {
      ...RETRIES,
      words: ["PENDING", "SEARCHING"],
      weight: 1,
      run: (visit) => search(visit, ports),
    })
    .stage("download", {
      ...RETRIES,
      words: ["FOUND", "DOWNLOADING"],
      weight: 10,
      outside: clients,
      on: () => clientFor(ports),
      every,
      batch: 10_000,
      start: async ({ out, key, signal }, client) => {
        const { infohash } = out.search.taken;
        const source = sourceOf(await ports.store.findTorrent(infohash));
        return await startTorrent(client, { infohash, source, key }, signal);
      },
      adopt: ({ key }, client) => adoptTorrent(client, key),
      look: (refs, client) => lookAtTorrents(client, refs),
      cancel: (ref, client) => releaseTorrent(client, ref),
      list: (client, prefix) => listTorrents(client, prefix),
      stall: {
        never: stallNever,
        stopped: stallStopped,
        react: ({ out }) => back("search", giveBack(out.search, "it stood still")),
      },
      finish: (visit, { output }) => finishDownload(visit, output, ports),
      leave: downloadGates(ports),
    });
}

export type MediaPipeline = ReturnType<typeof mediaPipeline>;

/** Where no client is set, nothing is lost: it waits for one. */
async function clientFor({ store }: MediaPorts): Promise<string> {
  const [first] = await store.clients();
  if (first === undefined)
    throw unavailable("NO_DOWNLOAD_CLIENT", "no download client is set up and switched on", { breaker: "none" });
  return first.name;
}

export function seriesPipeline(media: MediaPipeline) {
  return definePipeline("media-series", { version: 1, input: seriesAsked }).stage("episodes", {
    ...RETRIES,
    words: ["PENDING", "PENDING"],
    async run({ input, call, signal }) {
      const series = await call(metadata, (service) => service.series(input.tmdb, { signal }));
      const seasons = [];
      for (const season of seasonsAsked(input, series))
        seasons.push(await call(metadata, (service) => service.season(input.tmdb, season, { signal })));
      const plan = planEpisodes(input, series, seasons);
      checkPlan(plan);
      const { episodes, unknown } = plan;
      const spawn = episodes.map((episode) => child(media, episode));
      return done({ title: series.title, episodes: episodes.length, unknown: [...unknown] }, { spawn });
    },
  });
}

function titleOf(item: WantedItem): string {
  if (item.kind === "film") {
    const { title, year, tmdb } = item;
    return `${title ?? `Film ${tmdb}`}${year === null ? "" : ` (${year})`}`;
  }
  const number = `S${String(item.season).padStart(2, "0")}E${String(item.episode).padStart(2, "0")}`;
  return `${item.series} ${number}${item.name === null ? "" : ` ${item.name}`}`;
}
