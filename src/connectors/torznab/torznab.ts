// The real client: Torznab and Newznab over HTTP, as Prowlarr, Jackett and indexers themselves speak it.

import { Fault } from "../../engine/index.ts";
import { type Clock, InputError, systemClock } from "../../kit/index.ts";
import { type CallOptions, type GuardedClient, type GuardedClientOptions, guardedClient } from "../kit/index.ts";
import { answerFault, REFUSED_QUERY } from "./error-faults.ts";
import { fetchRelease, type TorrentDoor } from "./fetch-torrent.ts";
import { HiddenKey } from "./hidden-key.ts";
import type { FoundReleases, Indexer, IndexerCaps, Release, Wanted } from "./indexer.ts";
import {
  CATEGORIES,
  checkWanted,
  looksWanted,
  type Query,
  queriesFor,
  toQueryString,
  type WantedCategories,
} from "./queries.ts";
import { readCaps } from "./read-caps.ts";
import { readFeed } from "./read-items.ts";
import { type Element, parseXml } from "./xml.ts";

export interface TorznabOptions extends Omit<GuardedClientOptions, "egress" | "baseUrl" | "redirects" | "cookies"> {
  /** As Prowlarr and Jackett show it for copying; with or without "api" at its end. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly categories?: Partial<WantedCategories>;
  /** Of one search, by a hundred releases each. */
  readonly pages?: number;
  /** How long it is remembered what the indexer can be asked. */
  readonly capsMs?: number;
  /** Where links to other machines than the indexer's may lead. An answer is outside data, so "public" where nothing is said. */
  readonly links?: "public" | "lan";
}

const PAGES = 10;
const CAPS_MS = 3_600_000;
const MOST_RELEASES = 2_000;
/** Of one page. What is worst to read in it takes three seconds, in which nothing else is done. */
const XML_BYTES = 5 * 1024 * 1024;

export function torznab(options: TorznabOptions): Indexer {
  const { baseUrl, apiKey, pages = PAGES, links = "public", capsMs = CAPS_MS, categories, ...rest } = options;
  if (!Number.isInteger(pages) || pages < 1) throw new InputError("pages", `pages must be 1 or more, got ${pages}`);
  const { base, leaf } = endpoint(baseUrl);
  const key = new HiddenKey(apiKey);
  const indexer = new Asking({
    http: guardedClient({
      ...{ ...rest, baseUrl: base, egress: "lan", redirects: "same-origin" },
      limits: { answerBytes: XML_BYTES, ...rest.limits },
    }),
    ...{ leaf, key, apiKey, pages, capsMs },
    categories: { ...CATEGORIES, ...categories },
    clock: options.clock ?? systemClock,
    now: options.now ?? Date.now,
  });
  // Whole addresses, each looked at before it is gone to; none of the indexer's headers goes to somebody else.
  const { headers: _, ...stranger } = rest;
  const door: TorrentDoor = {
    service: options.service,
    near: guardedClient({ ...rest, egress: "lan", redirects: "as-answer" }),
    far: guardedClient({ ...stranger, egress: links, redirects: "as-answer" }),
    ...{ home: new URL(base).origin, key, now: options.now ?? Date.now },
  };
  return {
    caps: (call) => indexer.readCaps(call),
    search: (wanted, call) => indexer.search(wanted, call),
    fetchTorrent: (release, call) => fetchRelease(release, door, call),
  };
}

/** People paste the address with and without its last word, and Prowlarr has two of them. */
function endpoint(baseUrl: string): { readonly base: string; readonly leaf: string } {
  const found = /^(.*\/)(api|newznab)\/?$/.exec(baseUrl);
  return { base: found?.[1] ?? baseUrl, leaf: found?.[2] ?? "api" };
}

interface AskingOptions {
  readonly http: GuardedClient;
  readonly leaf: string;
  readonly key: HiddenKey;
  readonly apiKey: string | undefined;
  readonly pages: number;
  readonly capsMs: number;
  readonly categories: WantedCategories;
  readonly clock: Clock;
  readonly now: () => number;
}

class Asking {
  readonly #options: AskingOptions;
  #caps: { readonly value: IndexerCaps; readonly at: number } | undefined;

  constructor(options: AskingOptions) {
    this.#options = options;
  }

  async readCaps(call?: CallOptions): Promise<IndexerCaps> {
    const { element } = await this.#ask("t=caps", "caps", call);
    const value = readCaps(element);
    this.#caps = { value, at: this.#options.clock.monotonic() };
    return value;
  }

  async search(wanted: Wanted, call?: CallOptions): Promise<FoundReleases> {
    checkWanted(wanted);
    const { clock, capsMs } = this.#options;
    const known = this.#caps;
    if (known === undefined || clock.monotonic() - known.at >= capsMs)
      return this.#searchBy(await this.readCaps(call), wanted, call);
    try {
      return await this.#searchBy(known.value, wanted, call);
    } catch (error) {
      // What it can be asked may have changed since.
      if (!(error instanceof Fault && error.code === REFUSED_QUERY)) throw error;
      return this.#searchBy(await this.readCaps(call), wanted, call);
    }
  }

  async #searchBy(caps: IndexerCaps, wanted: Wanted, call?: CallOptions): Promise<FoundReleases> {
    const all = new Map<string, Release>();
    let unreadable = 0;
    let isCut = false;
    for (const query of queriesFor(wanted, caps, this.#options.categories)) {
      const found = await this.#pagesOf(query, caps, call);
      for (const release of found.releases) if (!all.has(release.guid)) all.set(release.guid, release);
      unreadable += found.unreadable;
      isCut ||= found.isCut;
      if (found.releases.some((release) => looksWanted(release, wanted))) break;
    }
    const releases = [...all.values()];
    return { releases: releases.slice(0, MOST_RELEASES), unreadable, isCut: isCut || releases.length > MOST_RELEASES };
  }

  async #pagesOf(query: Query, caps: IndexerCaps, call?: CallOptions): Promise<FoundReleases> {
    const { pages, http, key } = this.#options;
    const all = new Map<string, Release>();
    let entries = 0;
    let readable = 0;
    const found = (isCut: boolean) => ({ releases: [...all.values()], unreadable: entries - readable, isCut });
    for (let page = 0; page < pages && all.size < MOST_RELEASES; page += 1) {
      const place = [["limit", String(caps.pageSize)] as const, ["offset", String(entries)] as const];
      const asked = toQueryString(query, [["extended", "1"], ...place]);
      const { element, url } = await this.#ask(asked, "rss", call);
      const feed = readFeed(element, { url, indexer: caps.title || http.service, key });
      const before = all.size;
      for (const release of feed.releases) if (!all.has(release.guid)) all.set(release.guid, release);
      entries += feed.entries;
      readable += feed.releases.length;
      // Many know no pages, and answer with the first one for ever.
      const isLast = feed.entries < caps.pageSize || all.size === before;
      if (isLast || (feed.total !== null && entries >= feed.total)) return found(false);
    }
    return found(true);
  }

  async #ask(query: string, root: string, call?: CallOptions): Promise<{ element: Element; url: string }> {
    const { http, leaf, apiKey, key, now } = this.#options;
    const secret = apiKey === undefined ? "" : `&apikey=${encodeURIComponent(apiKey)}`;
    const answer = await http.send({ url: `${leaf}?${query}${secret}`, ...call });
    const parsed = parseXml(answer.body, answer.headers["content-type"]);
    if ("root" in parsed && parsed.root === root && answer.status === 200)
      return { element: parsed.element, url: answer.url };
    const what = key.wipe(`GET ${new URL(answer.url).pathname}`);
    const { service } = http;
    throw answerFault(answer, parsed, {
      service,
      what,
      isDownload: false,
      wipe: (text) => key.wipe(text),
      nowMs: now(),
    });
  }
}
