// A feed of an indexer → releases. An entry that cannot be read costs that entry alone. Pure.

import type { HiddenKey } from "./hidden-key.ts";
import type { Release } from "./indexer.ts";
import { infohashOfMagnet, readInfohash } from "./magnet.ts";
import { cleanText } from "./read-caps.ts";
import { attribute, child, children, childrenOfAnyNamespace, type Element, textOf } from "./xml.ts";

export interface FeedPlace {
  /** Where it came from; links may be relative to it. */
  readonly url: string;
  /** The indexer's name, where an entry tells no other. */
  readonly indexer: string;
  readonly key: HiddenKey;
}

export interface FeedPage {
  readonly releases: readonly Release[];
  /** All entries, the unreadable ones too. */
  readonly entries: number;
  /** How many there are on all pages, where it is said. */
  readonly total: number | null;
}

const TITLE_LENGTH = 500;
const ADDRESS_LENGTH = 16_000;
const GUID_LENGTH = 2_000;
const MOST_CATEGORIES = 50;
const CENTURY_SECONDS = 100 * 366 * 86_400;

/** Of an element `rss`. */
export function readFeed(rss: Element, place: FeedPlace): FeedPage {
  const channel = child(rss, "channel");
  const items = children(channel, "item");
  return {
    releases: items.flatMap((item) => readItem(item, place) ?? []),
    entries: items.length,
    total: whole(attribute(childrenOfAnyNamespace(channel, "response")[0], "total")),
  };
}

function readItem(item: Element, place: FeedPlace): Release | undefined {
  const said = attributesOf(item);
  const links = readLinks(item, said, place);
  const title = cleanText(textOf(child(item, "title")), TITLE_LENGTH);
  if (title === "" || links === undefined) return undefined;
  const { magnet, downloadUrl, protocol } = links;
  const seeders = whole(said.one("seeders"));
  const factor = decimal(said.one("downloadvolumefactor"));
  return {
    title,
    guid: cleanText(place.key.hide(textOf(child(item, "guid"))), GUID_LENGTH) || (downloadUrl ?? magnet ?? title),
    indexer: cleanText(indexerOf(item), 100) || place.indexer,
    protocol,
    bytes: sizeOf(item, said),
    infohash: (magnet === null ? null : infohashOfMagnet(magnet)) ?? readInfohash(said.one("infohash") ?? ""),
    magnet,
    downloadUrl,
    infoUrl: httpAddress(textOf(child(item, "comments")).replace(/#comments$/, ""), place),
    seeders,
    leechers: whole(said.one("leechers")) ?? leftOf(whole(said.one("peers")), seeders),
    grabs: whole(said.one("grabs")) ?? whole(textOf(child(item, "grabs"))),
    categories: categoriesOf(item, said),
    imdbId: imdbOf(said.one("imdbid") ?? said.one("imdb")),
    tmdbId: positive(said.one("tmdbid") ?? said.one("tmdb")),
    tvdbId: positive(said.one("tvdbid") ?? said.one("tvdb")),
    published: dateOf(textOf(child(item, "pubDate"))) ?? dateOf(said.one("usenetdate") ?? ""),
    minimumRatio: decimal(said.one("minimumratio")),
    minimumSeedMs: seconds(said.one("minimumseedtime")),
    isFreeleech: factor === 0 || said.all("tag").some((tag) => tag.toLowerCase() === "freeleech"),
  };
}

interface Said {
  one(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** `torznab:attr` and `newznab:attr`, by names in any case, some more than once. */
function attributesOf(item: Element): Said {
  const values = new Map<string, string[]>();
  for (const each of childrenOfAnyNamespace(item, "attr")) {
    const name = attribute(each, "name")?.toLowerCase();
    const value = attribute(each, "value");
    if (name === undefined || value === undefined) continue;
    const same = values.get(name);
    if (same === undefined) values.set(name, [value]);
    else same.push(value);
  }
  return { one: (name) => values.get(name)?.[0], all: (name) => values.get(name) ?? [] };
}

/** A magnet may stand where a link is meant to, and a link (Prowlarr's own) where a magnet is. */
function readLinks(item: Element, said: Said, place: FeedPlace) {
  const enclosures = children(item, "enclosure");
  const all = [
    ...enclosures.map((each) => attribute(each, "url") ?? ""),
    textOf(child(item, "link")),
    said.one("magneturl") ?? "",
  ].map((text) => text.trim());
  const magnet = all.find((text) => infohashOfMagnet(text) !== null) ?? null;
  const downloadUrl = all.map((text) => httpAddress(text, place)).find((url) => url !== null) ?? null;
  if (magnet === null && downloadUrl === null) return undefined;
  const isUsenet = enclosures.some((each) => attribute(each, "type") === "application/x-nzb");
  return { magnet, downloadUrl, protocol: isUsenet ? ("usenet" as const) : ("torrent" as const) };
}

function httpAddress(text: string, { url, key }: FeedPlace): string | null {
  if (text === "" || text.length > ADDRESS_LENGTH) return null;
  const address = URL.parse(text, url);
  if (address === null || !/^https?:$/.test(address.protocol) || address.username !== "" || address.password !== "")
    return null;
  return key.hide(address.href);
}

function indexerOf(item: Element): string {
  return textOf(child(item, "prowlarrindexer")) || textOf(child(item, "jackettindexer"));
}

function sizeOf(item: Element, said: Said): number | null {
  const stated = [said.one("size"), textOf(child(item, "size")), attribute(child(item, "enclosure"), "length")];
  return stated.map(positive).find((bytes) => bytes !== null) ?? null;
}

function categoriesOf(item: Element, said: Said): readonly number[] {
  const stated = [...said.all("category"), ...children(item, "category").map(textOf)].slice(0, 4 * MOST_CATEGORIES);
  const read = stated.map(positive).filter((id) => id !== null);
  return [...new Set(read)].slice(0, MOST_CATEGORIES);
}

function leftOf(peers: number | null, seeders: number | null): number | null {
  return peers === null || seeders === null || peers < seeders ? null : peers - seeders;
}

/** 0 or more; anything else makes no sense for what is counted here. */
function whole(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,16}$/.test(text.trim())) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}

/** Where 0 only says that it is not known. */
function positive(text: string | undefined): number | null {
  return whole(text) || null;
}

function decimal(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}([.,]\d{1,6})?$/.test(text.trim()) ? Number(text.replace(",", ".")) : null;
}

function seconds(text: string | undefined): number | null {
  const said = whole(text);
  return said === null || said > CENTURY_SECONDS ? null : said * 1_000;
}

function imdbOf(text: string | undefined): string | null {
  const digits = /^(?:tt)?(\d{1,10})$/.exec(text?.trim() ?? "")?.[1];
  return digits === undefined || Number(digits) === 0 ? null : `tt${digits.padStart(7, "0")}`;
}

/** As RSS writes it, and as others do. A number alone is no date, whatever Date thinks of it. */
function dateOf(text: string): string | null {
  const at = /\d{4}/.test(text) && /[a-z-]/i.test(text) && text.length < 60 ? Date.parse(text) : Number.NaN;
  const date = new Date(at);
  return Number.isNaN(at) || date.getUTCFullYear() < 1970 || date.getUTCFullYear() > 9_999 ? null : date.toISOString();
}
