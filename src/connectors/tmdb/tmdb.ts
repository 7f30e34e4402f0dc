// The real client: version 3 of TMDB's API.
//
//   404 with TMDB's 34 or 6            permanent TMDB_NOT_FOUND      breaker: success
//   404 of somebody else               unavailable WRONG_ADDRESS     open
//   401, 403, and the codes of keys    unavailable AUTH              open
//   429, 25                            unavailable until then        none
//   500, 502, 503, 504                 as everywhere

import { type Fault, permanent, transient, unavailable } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import {
  type Answer,
  type CallOptions,
  type GuardedClient,
  type GuardedClientOptions,
  guardedClient,
  readJson,
  statusFault,
} from "../kit/index.ts";
import { checkedId, checkedImdb, checkedSeason, checkedText } from "./check.ts";
import { asImage, IMAGE_BYTES, IMAGES_URL, imagePath } from "./images.ts";
import type { Metadata } from "./metadata.ts";
import {
  filmAnswer,
  filmsAnswer,
  foundAnswer,
  idsAnswer,
  refusalAnswer,
  seasonAnswer,
  seriesAnswer,
  seriesListAnswer,
} from "./wire.ts";

export interface TmdbOptions
  extends Omit<GuardedClientOptions, "egress" | "baseUrl" | "redirects" | "cookies" | "service" | "headers"> {
  /** The API key or the API read access token; people paste either. */
  readonly key: string;
  readonly service?: string;
  readonly baseUrl?: string;
  readonly imagesUrl?: string;
  /** Of titles and texts, as in "de-DE". English where nothing is said. */
  readonly language?: string;
}

const BASE_URL = "https://api.themoviedb.org/3/";
/** TMDB's own numbers for "there is no such thing", and for keys that it does not take. */
const NOT_FOUND = new Set([6, 34]);
const KEY_REFUSED = new Set([3, 7, 10, 14, 31, 35, 45]);
const TOO_MANY = 25;

export function tmdb(options: TmdbOptions): Metadata {
  const { key, service = "tmdb", baseUrl = BASE_URL, imagesUrl = IMAGES_URL, language, ...rest } = options;
  const isToken = isAccessToken(key);
  const http = guardedClient({
    ...{ ...rest, service, baseUrl, egress: "lan", redirects: "none" },
    headers: { accept: "application/json", ...(isToken ? { authorization: `Bearer ${key}` } : {}) },
  });
  // Anybody may see them: the key stays here.
  const limits = { totalMs: 30_000, ...rest.limits, answerBytes: IMAGE_BYTES };
  const images = guardedClient({
    ...{ ...rest, service, limits, egress: "lan", redirects: "none" },
    baseUrl: imagesUrl,
  });
  const usual = { ...(language === undefined ? {} : { language }), ...(isToken ? {} : { api_key: key }) };
  const ask = <T>(path: string, schema: Schema<T>, query: Query = {}, call?: CallOptions) =>
    get(http, { path, query: { ...query, ...usual }, key, now: options.now ?? Date.now }, schema, call);
  return {
    async film(id, call) {
      const film = await ask(`movie/${checkedId(id)}`, filmAnswer, { append_to_response: "external_ids" }, call);
      return same(film, film.id === id, service);
    },
    async series(id, call) {
      const series = await ask(`tv/${checkedId(id)}`, seriesAnswer, { append_to_response: "external_ids" }, call);
      return same(series, series.id === id, service);
    },
    async season(seriesId, season, call) {
      const found = await ask(`tv/${checkedId(seriesId)}/season/${checkedSeason(season)}`, seasonAnswer, {}, call);
      return same(found, found.season === season, service);
    },
    searchFilms: async (text, year, call) =>
      ask("search/movie", filmsAnswer, { query: checkedText(text), ...(year ? { year: String(year) } : {}) }, call),
    searchSeries: async (text, year, call) =>
      ask(
        "search/tv",
        seriesListAnswer,
        { query: checkedText(text), ...(year ? { first_air_date_year: String(year) } : {}) },
        call,
      ),
    findByImdb: async (imdbId, call) =>
      ask(`find/${checkedImdb(imdbId)}`, foundAnswer, { external_source: "imdb_id" }, call),
    externalIds: async (kind, id, call) =>
      ask(`${kind === "film" ? "movie" : "tv"}/${checkedId(id)}/external_ids`, idsAnswer, {}, call),
    async image(kind, path, width, call) {
      const answer = await images.send({ url: imagePath(kind, path, width), ...call });
      if (answer.status === 404) throw permanent("IMAGE_NOT_FOUND", `${service} has no image ${path}`, { service });
      if (answer.status >= 300) throw images.faultOf(answer, `GET ${path}`);
      return asImage(answer.body, service);
    },
  };
}

/** A token has three parts with dots between them, a key is 32 hex digits. */
function isAccessToken(key: string): boolean {
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(key)) return true;
  if (/^[0-9a-f]{32}$/i.test(key)) return false;
  throw new InputError(
    "key",
    "key must be TMDB's API key (32 hex digits) or its API read access token (three parts with dots)",
  );
}

type Query = Readonly<Record<string, string>>;
type Schema<T> = Parameters<typeof readJson<T>>[1];

interface Asked {
  readonly path: string;
  readonly query: Query;
  readonly key: string;
  readonly now: () => number;
}

async function get<T>(http: GuardedClient, asked: Asked, schema: Schema<T>, call?: CallOptions): Promise<T> {
  const { path, query } = asked;
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const answer = await http.send({ url: `${path}?${pairs.join("&")}`, ...call });
  const fault = refusal(answer, http.service, asked);
  if (fault !== undefined) throw fault;
  return readJson(answer, schema, http.service);
}

/** Undefined for what was asked for. TMDB puts a number of its own into what it says, on any status. */
function refusal(answer: Answer, service: string, { path, key, now }: Asked): Fault | undefined {
  const { status, headers } = answer;
  const isOk = status >= 200 && status < 300;
  const { code, said, isRefused } = refusalIn(answer);
  if (isOk && !isRefused) return undefined;
  const what = `GET ${path}`;
  const words = said.replaceAll(key, "***");
  const number = code === null ? status : `${status} (${code})`;
  const text = `${service} answered ${what} with ${number}${words === "" ? "" : `: ${words}`}`;
  if (code !== null && KEY_REFUSED.has(code)) return unavailable("AUTH", text, { service });
  if (code === TOO_MANY) return statusFault({ service, what, status: 429, headers, nowMs: now(), said: words });
  if (code !== null && NOT_FOUND.has(code)) return permanent("TMDB_NOT_FOUND", text, { service });
  if (status === 404)
    return unavailable("WRONG_ADDRESS", `${text}: is its address right?`, { service, breaker: "open" });
  if (isOk) return transient("BAD_ANSWER", text, { service });
  return statusFault({ service, what, status, headers, nowMs: now(), said: words });
}

interface Refusal {
  readonly code: number | null;
  readonly said: string;
  readonly isRefused: boolean;
}

/** It is short; what is longer is read once, where it is checked. */
const REFUSAL_BYTES = 2_000;

function refusalIn({ status, body }: Answer): Refusal {
  const none = { code: null, said: "", isRefused: status >= 400 };
  if (body.byteLength > REFUSAL_BYTES) return none;
  try {
    const read = refusalAnswer.safeParse(JSON.parse(body.toString("utf8")));
    if (!read.success) return none;
    const { status_code, status_message, success } = read.data;
    return { code: status_code, said: status_message ?? "", isRefused: success === false };
  } catch {
    // No JSON: then the status has to say it, or whoever reads the answer.
    return none;
  }
}

function same<T>(value: T, isSame: boolean, service: string): T {
  if (!isSame)
    throw transient("BAD_ANSWER", `${service} answered with something else than it was asked for`, { service });
  return value;
}
