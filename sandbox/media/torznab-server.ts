// A little indexer: what stands in its catalogue it lists and hands out, in the words of Torznab.

import {
  type AskedSearch,
  type IndexerCaps,
  IndexerWorld,
  type IndexerWorldOptions,
  type ListedOffer,
  type SearchAbility,
} from "../../src/connectors/index.ts";
import { LittleServer, type Said } from "./little-server.ts";

export interface TorznabServerOptions extends IndexerWorldOptions {
  readonly apiKey?: string;
  /** The path before "api", which tells several indexers behind one address apart. */
  readonly path?: string;
}

const FUNCTIONS = new Set(["search", "movie", "tvsearch"]);

export class TorznabServer extends LittleServer {
  readonly world: IndexerWorld;
  readonly apiKey: string;
  readonly #path: string;

  constructor({ apiKey = "", path = "/1/", ...options }: TorznabServerOptions = {}, world = new IndexerWorld(options)) {
    super();
    this.world = world;
    this.apiKey = apiKey;
    this.#path = path;
  }

  /** To be configured as an indexer's address. */
  get url(): string {
    return `${this.origin}${this.#path}`;
  }

  protected override answer({ pathname, searchParams: asked }: URL): Said {
    if ((asked.get("apikey") ?? "") !== this.apiKey) return torznabError(100, "Invalid API Key", 401);
    if (pathname === `${this.#path}api`) return this.#api(asked);
    const id = pathname.startsWith(`${this.#path}download/`) ? pathname.split("/").at(-1) : undefined;
    if (id === undefined)
      return { status: 404, headers: { "content-type": "text/html" }, body: "<html>nothing here</html>" };
    const torrent = this.world.fetch(decodeURIComponent(id));
    if (torrent === undefined) return torznabError(300, "No such item", 404);
    if (torrent.magnet !== undefined) return { status: 301, headers: { location: torrent.magnet } };
    return { status: 200, headers: { "content-type": "application/x-bittorrent" }, body: torrent.file };
  }

  #api(asked: URLSearchParams): Said {
    const name = asked.get("t");
    if (name === null) return torznabError(200, "Missing parameter (t)", 400);
    if (name === "caps") return xml(capsXml(this.world.caps));
    if (!FUNCTIONS.has(name)) return torznabError(202, `No such function (${name})`, 400);
    const { apikey: _, t: __, limit = "100", offset = "0", extended: ___, ...parameters } = Object.fromEntries(asked);
    const all = this.world.search({ function: name, parameters } satisfies AskedSearch);
    const page = all.slice(Number(offset), Number(offset) + Math.min(Number(limit), this.world.caps.pageSize));
    const link = (id: string) =>
      `${this.url}download/${encodeURIComponent(id)}${this.apiKey === "" ? "" : `?apikey=${encodeURIComponent(this.apiKey)}`}`;
    return xml(feedXml(page, { title: this.world.caps.title, offset, total: all.length, link }));
  }
}

/** An error in the words of the protocol; indexers like to send it as a success. */
export function torznabError(code: number, description: string, status = 200): Said {
  return { ...xml(`<error code="${code}" description="${escaped(description)}"/>`), status };
}

function xml(content: string): Said {
  return {
    status: 200,
    headers: { "content-type": "application/rss+xml" },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${content}`,
  };
}

function capsXml({ title, pageSize, search, tv, film, categories }: IndexerCaps): string {
  const ability = (name: string, able: SearchAbility | null) =>
    `<${name} available="${able === null ? "no" : "yes"}" supportedParams="${able?.parameters.join(",") ?? ""}"${able?.isRaw === true ? ' searchEngine="raw"' : ""}/>`;
  return `<caps><server title="${escaped(title)}"/><limits default="${pageSize}" max="${pageSize}"/><searching>${ability("search", search)}${ability("tv-search", tv)}${ability("movie-search", film)}</searching><categories>${categories
    .map(({ id, name }) => `<category id="${id}" name="${escaped(name)}"/>`)
    .join("")}</categories></caps>`;
}

interface Feed {
  readonly title: string;
  readonly offset: string;
  readonly total: number;
  readonly link: (id: string) => string;
}

function feedXml(offers: readonly ListedOffer[], { title, offset, total, link }: Feed): string {
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:torznab="http://torznab.com/schemas/2015/feed" xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/"><channel><atom:link rel="self" type="application/rss+xml"/><title>${escaped(title)}</title><newznab:response offset="${escaped(offset)}" total="${total}"/>${offers
    .map((offer) => itemXml(offer, link(offer.id)))
    .join("")}</channel></rss>`;
}

function itemXml(offer: ListedOffer, link: string): string {
  const { bytes, published } = offer;
  const said: readonly (readonly [string, string | number | undefined])[] = [
    ["category", offer.category],
    ["imdb", offer.imdbId?.slice(2)],
    ["tmdbid", offer.tmdbId],
    ["tvdbid", offer.tvdbId],
    ["seeders", offer.seeders],
    ["peers", offer.seeders + offer.leechers],
    ["grabs", offer.grabs],
    ["infohash", offer.infohash],
    ["magneturl", offer.magnet],
    ["minimumratio", offer.minimumRatio],
    ["minimumseedtime", offer.minimumSeedMs === undefined ? undefined : offer.minimumSeedMs / 1_000],
    ["downloadvolumefactor", offer.isFreeleech === true ? 0 : 1],
  ];
  const attributes = said
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<torznab:attr name="${name}" value="${escaped(String(value))}"/>`);
  const length = bytes === undefined ? "" : ` length="${bytes}"`;
  return [
    `<item><title>${escaped(offer.title)}</title><guid>${escaped(offer.id)}</guid>`,
    published === undefined ? "" : `<pubDate>${new Date(published).toUTCString()}</pubDate>`,
    bytes === undefined ? "" : `<size>${bytes}</size>`,
    `<link>${escaped(link)}</link><category>${offer.category}</category>`,
    `<enclosure url="${escaped(link)}"${length} type="application/x-bittorrent"/>${attributes.join("")}</item>`,
  ].join("");
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);
}
