// What is known when a run is over: of every item and its parts, of what lies on the disk and at the servers, of what is in the download
// client, and of what was told meanwhile.

import { type JudgedDelivery, judgeDeliveries } from "../../../sandbox/media/delivered.ts";
import { Somebody } from "../../../sandbox/media/somebody.ts";
import { askedOf, type Judged, judge } from "../../../sandbox/media/truth.ts";
import type { MediaWorld } from "../../../sandbox/media/world.ts";
import type { HistoryEntry, ItemId, ItemLine } from "../../../src/engine/index.ts";
import type { OwnTime } from "./own-times.ts";
import type { Outage } from "./plan.ts";
import type { SeenVersion } from "./watcher.ts";

/** As much of an entry as is judged. */
export type Happened = Pick<HistoryEntry, "outcome" | "from" | "attempt" | "code" | "reason" | "ended" | "message">;

export interface ItemFacts {
  readonly id: ItemId;
  readonly request: string;
  readonly pipeline: string;
  /** The item it is a part of. */
  readonly partOf: ItemId | null;
  /** As the stock calls it; null of a part, and of an item that only tells which episodes there are. */
  readonly asked: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly sentence: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly history: readonly Happened[];
  /** Of one that is downloaded. */
  readonly judged: Judged | null;
  /** Of one that is completed: at each of its servers. */
  readonly delivered: readonly JudgedDelivery[];
}

export interface TorrentFacts {
  readonly infohash: string;
  /** Of ours, one for each item that uses it. */
  readonly tags: readonly string[];
  readonly isOurs: boolean;
}

/** What was really broken, and when. */
export interface Broken extends Outage {
  readonly from: Date;
  readonly to: Date;
}

/** One line for each transition, one event, and one row of its history. */
export interface Transitions {
  readonly lines: number;
  readonly events: number;
  readonly recorded: number;
}

/** A file at a server, whatever it is called. */
export type Shelved = Pick<SeenVersion, "server" | "path">;

export interface Evidence {
  readonly requests: number;
  readonly items: readonly ItemFacts[];
  readonly torrents: readonly TorrentFacts[];
  readonly broken: readonly Broken[];
  /** The torrents that somebody deleted in the client. */
  readonly deleted: ReadonlySet<string>;
  readonly stuck: readonly string[];
  readonly doctor: readonly string[];
  /** Everything that was ever seen at a server under its own name. */
  readonly versions: readonly SeenVersion[];
  /** What lies there in the end. */
  readonly shelved: readonly Shelved[];
  /** Processes of the run that should have ended. */
  readonly processes: readonly string[];
  readonly transitions: Transitions;
  /** From the first request until the last was completed. */
  readonly wallMs: number;
  readonly ownTimes: readonly OwnTime[];
  /** What no indexer has. */
  readonly unknown: ReadonlySet<string>;
}

const PAGE = 200;
const HISTORY = 1_000;

/** Also parts, and what clears up behind others. */
export async function allItems({ sluice }: MediaWorld): Promise<readonly ItemLine[]> {
  const all: ItemLine[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page = await sluice.items({}, { limit: PAGE, ...(after === "" ? {} : { after }) });
    all.push(...page.entries);
    after = page.next;
  }
  return all;
}

export async function itemFacts(world: MediaWorld, { id, pipeline, partOf }: ItemLine): Promise<ItemFacts> {
  const { sluice, stock } = world;
  const item = await sluice.item(id);
  const { entries } = await sluice.history(id, { limit: HISTORY, outputs: false });
  const isMedia = pipeline === "media" && partOf === null;
  const isDone = isMedia && item.state === "done";
  return {
    ...{ id, pipeline, partOf, request: item.request, state: item.state, reason: item.reason },
    ...{ createdAt: item.createdAt, finishedAt: item.finishedAt, history: entries, sentence: item.wait.sentence },
    asked: isMedia ? askedOf(item) : null,
    judged: isDone ? await judge(stock, item) : null,
    delivered: isDone ? await judgeDeliveries(world, item) : [],
  };
}

export async function torrentFacts({ client }: MediaWorld): Promise<readonly TorrentFacts[]> {
  const all = await new Somebody(client).all();
  return all.map(({ infohash, tags, isOurs }) => ({ infohash, isOurs, tags: tags.filter((tag) => tag !== "sluice") }));
}
