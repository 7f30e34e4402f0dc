// The media pipelines: search → download → encode → deliver → publish, for a film or an episode; and the one that tells a series'
// episodes.

import { back, child, definePipeline, done, unavailable, wait } from "../../engine/index.ts";
import { systemClock, toMilliseconds } from "../../kit/index.ts";
import { leftovers } from "./delivery/leftovers.ts";
import { deliverStage, publishStage } from "./delivery/stages.ts";
import { giveBack } from "./found.ts";
import { MEDIA_LIMITS, type MediaLimits } from "./limits.ts";
import type { MediaGiven, MediaPorts } from "./ports.ts";
import { whoWantsWhat } from "./requests/who-wants-what.ts";
import { checkPlan, planEpisodes, seasonsAsked, withoutHeld } from "./series.ts";
import { mediaServices } from "./services.ts";
import {
  adoptTorrent,
  listTorrents,
  lookAtTorrents,
  releaseTorrent,
  sourceOf,
  startTorrent,
} from "./stages/download.ts";
import { encodeEntry, encodeParts, finishEncode, startEncode, stoodStill } from "./stages/encode.ts";
import { downloadGates } from "./stages/gates.ts";
import { finishDownload } from "./stages/own-file.ts";
import { search } from "./stages/search.ts";
import { seasonOf, seriesOf } from "./title.ts";
import { seriesAsked, type WantedItem, wanted } from "./wanted.ts";

export function mediaPipelines(given: MediaGiven, changed: Partial<MediaLimits> = {}) {
  const limits = { ...MEDIA_LIMITS, ...changed };
  const { clock = systemClock, store } = given;
  const ports: MediaPorts = {
    ...{ ...given, limits, services: mediaServices(limits), clock, deliveries: store.deliveries },
    wishes: whoWantsWhat(store.namedTargets),
  };
  const media = mediaPipeline(ports);
  return { media, series: seriesPipeline(media, ports), leftovers: leftovers(ports) };
}

function mediaPipeline(ports: MediaPorts) {
  const { every, stallNever, stallStopped, encodeEvery, encodeStopped, attempts, backoff } = ports.limits;
  return definePipeline("media", { version: 1, input: wanted, title: titleOf })
    .stage("search", {
      attempts,
      backoff,
      words: ["PENDING", "SEARCHING"],
      weight: 1,
      run: (visit) => search(visit, ports),
    })
    .stage("download", {
      attempts,
      backoff,
      words: ["FOUND", "DOWNLOADING"],
      weight: 10,
      outside: ports.services.clients,
      on: () => clientFor(ports),
      every,
      batch: 10_000,
      start: async ({ out, key, signal }, client) => {
        const { infohash } = out.search.taken;
        const source = sourceOf(await ports.store.findTorrent(infohash));
        return await startTorrent(client, { infohash, source, key }, signal);
      },
      adopt: ({ key }, client) => adoptTorrent(client, key),
      look: (refs, client, known) => lookAtTorrents(client, refs, known),
      cancel: (ref, client) => releaseTorrent(client, ref, (infohash) => seedGoals(ports, infohash)),
      stays: true,
      list: (client, prefix) => listTorrents(client, prefix),
      stall: {
        never: stallNever,
        stopped: stallStopped,
        react: ({ out }) => back("search", giveBack(out.search, "it stood still")),
      },
      finish: (visit, { output }) => finishDownload(visit, output, ports),
      leave: downloadGates(ports),
    })
    .stage("encode", {
      attempts,
      backoff,
      words: ["DOWNLOADED", "ENCODING"],
      weight: 20,
      parts: (visit) => encodeParts(visit, ports),
      outside: ports.services.encoders,
      every: encodeEvery,
      batch: 10_000,
      enter: encodeEntry(ports),
      start: (visit, board) => startEncode(visit, board, ports),
      adopt: ({ key }, board) => board.find(key),
      look: (refs, board) => board.look(refs),
      cancel: (ref, board) => board.cancel(ref),
      stays: true,
      list: (board, prefix) => board.list(prefix),
      stall: { never: encodeStopped, stopped: encodeStopped, react: (visit) => stoodStill(visit, ports.board) },
      inLine: "It waits for a free encoder.",
      finish: (_, { output }) => finishEncode(output),
    })
    .stage("deliver", deliverStage(ports))
    .stage("publish", publishStage(ports));
}

type MediaPipeline = ReturnType<typeof mediaPipeline>;

/** Where no client is set, nothing is lost: it waits for one. */
async function clientFor({ store }: MediaPorts): Promise<string> {
  const [first] = await store.clients();
  if (first === undefined)
    throw unavailable("NO_DOWNLOAD_CLIENT", "no download client is set up and switched on", { breaker: "none" });
  return first.name;
}

/** What the indexer asked for when the torrent was chosen, and what is set for all. */
async function seedGoals({ store, limits: { seedRatio, seedTime } }: MediaPorts, infohash: string) {
  const row = await store.findTorrent(infohash);
  const asked = { ratio: row?.seed_ratio ?? null, seedMs: row?.seed_ms ?? null };
  const set = { ratio: seedRatio, seedMs: seedTime === null ? null : toMilliseconds(seedTime, "seedTime") };
  return [asked, set].filter(({ ratio, seedMs }) => ratio !== null || seedMs !== null);
}

function seriesPipeline(media: MediaPipeline, { store, services: { metadata }, limits }: MediaPorts) {
  const { attempts, backoff } = limits;
  return definePipeline("media-series", { version: 1, input: seriesAsked }).stage("episodes", {
    attempts,
    backoff,
    words: ["PENDING", "PENDING"],
    async run(visit) {
      const { input, item } = visit;
      await store.noteRequest(item.request, input);
      // Two that ask for the same at once would both add it.
      const earlier = await store.earlierAsk(item.request, item.id);
      if (earlier !== undefined) return wait("its_turn", { item: earlier });
      const sources = { lookUps: store.lookUps, metadata };
      const series = await seriesOf(input.tmdb, visit, sources);
      const seasons = [];
      const known = new Set(series.seasons.map(({ season }) => season));
      for (const season of seasonsAsked(input, series).filter((one) => known.has(one)))
        seasons.push(await seasonOf(input.tmdb, season, visit, sources));
      const plan = planEpisodes(input, series, seasons);
      checkPlan(plan);
      const { wanted: fresh, there } = withoutHeld(plan, await store.heldEpisodes(item.request, input.tmdb));
      const spawn = fresh.map((episode) => child(media, episode));
      return done({ title: series.title, episodes: fresh.length, there, unknown: [...plan.unknown] }, { spawn });
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
