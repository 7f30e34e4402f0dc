// What is known when a run is over: of every item, of what lies on the disk, and of what is in the download client.

import { Somebody } from "../../../sandbox/media/somebody.ts";
import { askedOf, type Judged, judge } from "../../../sandbox/media/truth.ts";
import type { MediaWorld } from "../../../sandbox/media/world.ts";
import type { HistoryEntry, ItemId, ItemLine } from "../../../src/engine/index.ts";
import type { Outage } from "./plan.ts";

/** As much of an entry as is judged. */
export type Happened = Pick<HistoryEntry, "outcome" | "from" | "attempt" | "code" | "reason" | "ended" | "message">;

export interface ItemFacts {
  readonly id: ItemId;
  readonly request: string;
  readonly pipeline: string;
  /** As the stock calls it; null of an item that only tells which episodes there are. */
  readonly asked: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly sentence: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly history: readonly Happened[];
  /** Of one that is downloaded. */
  readonly judged: Judged | null;
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

export interface Evidence {
  readonly requests: number;
  readonly items: readonly ItemFacts[];
  readonly torrents: readonly TorrentFacts[];
  readonly broken: readonly Broken[];
  readonly stuck: readonly string[];
  readonly doctor: readonly string[];
  /** What no indexer has. */
  readonly unknown: ReadonlySet<string>;
}

const PAGE = 200;
const HISTORY = 1_000;

export async function allItems({ sluice }: MediaWorld): Promise<readonly ItemLine[]> {
  const all: ItemLine[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page = await sluice.items({}, { limit: PAGE, ...(after === "" ? {} : { after }) });
    all.push(...page.entries.filter(({ pipeline }) => pipeline === "media" || pipeline === "media-series"));
    after = page.next;
  }
  return all;
}

export async function itemFacts({ sluice, stock }: MediaWorld, { id, pipeline }: ItemLine): Promise<ItemFacts> {
  const item = await sluice.item(id);
  const { entries } = await sluice.history(id, { limit: HISTORY, outputs: false });
  const isMedia = pipeline === "media";
  return {
    ...{ id, pipeline, request: item.request, state: item.state, reason: item.reason, sentence: item.wait.sentence },
    ...{ createdAt: item.createdAt, finishedAt: item.finishedAt, history: entries },
    asked: isMedia ? askedOf(item) : null,
    judged: isMedia && item.state === "done" ? await judge(stock, item) : null,
  };
}

export async function torrentFacts({ client }: MediaWorld): Promise<readonly TorrentFacts[]> {
  const all = await new Somebody(client).all();
  return all.map(({ infohash, tags, isOurs }) => ({ infohash, isOurs, tags: tags.filter((tag) => tag !== "sluice") }));
}
