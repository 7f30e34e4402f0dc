// qBittorrent over its Web API, in the dialects of 4.x, 5.0–5.1 and 5.2 onwards.

import { permanent, transient } from "../../../engine/index.ts";
import { type Clock, Gate, InputError, systemClock } from "../../../kit/index.ts";
import {
  type Answer,
  type GuardedClient,
  type GuardedClientOptions,
  type GuardedRequest,
  guardedClient,
  readJson,
} from "../../kit/index.ts";
import { infohashOf, MOST_TORRENT_BYTES } from "../infohash.ts";
import { checkNewTorrent, checkTag } from "../tags.ts";
import type { NewTorrent, SeenTorrent, TorrentFile, Torrents, TorrentsAbout } from "../torrents.ts";
import { addRequest, wasTaken } from "./add.ts";
import { readFiles } from "./files.ts";
import { type KnownTorrent, Picture, readChanges } from "./picture.ts";
import { Session } from "./session.ts";
import { count, tagsOf, text, toSeenTorrent } from "./states.ts";

export interface QbittorrentOptions
  extends Omit<GuardedClientOptions, "egress" | "baseUrl" | "redirects" | "cookies" | "headers"> {
  /** Where its pages are: http://nas:8080 */
  readonly baseUrl: string;
  /** Without both of them, and without a key: it lets this address in as it is. */
  readonly username?: string;
  readonly password?: string;
  /** From 5.2 on, instead of a name and a password. */
  readonly apiKey?: string;
}

/** Every torrent is about a kilobyte of the first answer. */
const ANSWER_BYTES = 64 * 1024 * 1024;
const FORM_BYTES = 64 * 1024;
/** What it took is in its list at the next look, or a moment later. */
const APPEARS_TRIES = 40;
const APPEARS_MS = 250;

export function qbittorrent(options: QbittorrentOptions): Torrents {
  return new Qbittorrent(options);
}

class Qbittorrent implements Torrents {
  readonly #http: GuardedClient;
  readonly #clock: Clock;
  readonly #session: Session;
  readonly #picture = new Picture();
  // The other side keeps one answer that was not confirmed: two questions at a time would lose it.
  readonly #looking = new Gate(1);
  #version: { readonly life: number; readonly text: string } | undefined;

  constructor({ baseUrl, username, password, apiKey, ...rest }: QbittorrentOptions) {
    checkCredentials(username, password, apiKey);
    this.#clock = rest.clock ?? systemClock;
    this.#http = guardedClient({
      ...rest,
      egress: "lan",
      redirects: "none",
      cookies: true,
      baseUrl: `${baseUrl.replace(/\/+$/, "")}/api/v2/`,
      ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
      limits: { answerBytes: ANSWER_BYTES, requestBytes: MOST_TORRENT_BYTES + FORM_BYTES, ...rest.limits },
    });
    this.#session = new Session({
      http: this.#http,
      login: username === undefined || password === undefined ? undefined : { username, password },
      clock: this.#clock,
      onNew: () => this.#picture.forget(),
    });
  }

  async about(signal?: AbortSignal): Promise<TorrentsAbout> {
    const version = await this.#said("app/version", signal);
    const { service } = this.#http;
    if (!/^v?\d[\w.+-]{0,40}$/.test(version))
      throw transient("BAD_ANSWER", `${service} does not tell its version as qBittorrent does`, { service });
    const folder = await this.#said("app/defaultSavePath", signal);
    await this.#sync(signal);
    const { connection_status: connection, free_space_on_disk: free } = this.#picture.server;
    return {
      client: "qBittorrent",
      version: version.replace(/^v/, ""),
      folder,
      freeBytes: typeof free === "number" && free >= 0 ? count(free) : null,
      isConnected: text(connection) === "" ? null : connection === "connected",
    };
  }

  async add(torrent: NewTorrent, signal?: AbortSignal): Promise<{ readonly wasThere: boolean }> {
    checkNewTorrent(torrent);
    const { infohash, tag } = torrent;
    const { service } = this.#http;
    const found = infohashOf(torrent.source);
    if (found !== infohash)
      throw permanent("WRONG_TORRENT", `the torrent is ${found} and not ${infohash}`, { service, breaker: "none" });
    await this.#sync(signal);
    let known = this.#picture.find(infohash);
    const wasThere = known !== undefined || !(await this.#give(torrent, signal));
    known ??= await this.#appears(infohash, wasThere ? 1 : APPEARS_TRIES, signal);
    if (known === undefined)
      throw transient("NOT_ADDED", `${service} ${wasThere ? "refused" : "took"} the torrent and does not have it`, {
        service,
      });
    if (!tagsOf(known.raw).includes(tag)) await this.#post("torrents/addTags", { hashes: known.id, tags: tag }, signal);
    return { wasThere };
  }

  async look(signal?: AbortSignal): Promise<ReadonlyMap<string, SeenTorrent>> {
    await this.#sync(signal);
    const seen = new Map<string, SeenTorrent>();
    for (const [id, raw] of this.#picture.torrents) {
      const torrent = toSeenTorrent(id, raw);
      if (torrent.tags.length > 0) seen.set(torrent.infohash, torrent);
    }
    return seen;
  }

  async files(infohash: string, signal?: AbortSignal): Promise<readonly TorrentFile[]> {
    const known = await this.#known(infohash, signal);
    const { service } = this.#http;
    const gone = () =>
      transient("TORRENT_GONE", `${service} has no torrent ${infohash}`, { service, breaker: "success" });
    if (known === undefined) throw gone();
    const answer = await this.#send({ url: `torrents/files?hash=${known.id}`, signal });
    if (answer.status === 404) throw gone();
    return readJson(this.#checked(answer, "GET torrents/files"), readFiles, service);
  }

  async nudge(infohash: string, signal?: AbortSignal): Promise<void> {
    const known = await this.#known(infohash, signal);
    if (known === undefined) return;
    const verb = (await this.#isSince(2, 11, signal)) ? "start" : "resume";
    await this.#post(`torrents/${verb}`, { hashes: known.id }, signal);
    await this.#post("torrents/reannounce", { hashes: known.id }, signal);
  }

  async release(
    infohash: string,
    tag: string,
    { withFiles }: { readonly withFiles: boolean },
    signal?: AbortSignal,
  ): Promise<void> {
    checkTag(tag);
    await this.#sync(signal);
    const known = this.#picture.find(infohash);
    if (known !== undefined) {
      const { tags, isOurs } = toSeenTorrent(known.id, known.raw);
      const isLast = tags.every((each) => each === tag);
      if (isOurs && isLast)
        await this.#post("torrents/delete", { hashes: known.id, deleteFiles: String(withFiles) }, signal);
      else if (tags.includes(tag)) await this.#post("torrents/removeTags", { hashes: known.id, tags: tag }, signal);
    }
    // Or its list of tags would grow by one with every download.
    if (this.#picture.hasTag(tag) && !this.#picture.isTagUsedBesides(tag, known?.id))
      await this.#post("torrents/deleteTags", { tags: tag }, signal);
  }

  async #give(torrent: NewTorrent, signal: AbortSignal | undefined): Promise<boolean> {
    const answer = await this.#send({ ...(await addRequest(torrent)), signal });
    if (answer.status === 415)
      throw permanent("NOT_A_TORRENT", `${this.#http.service} cannot read the torrent`, {
        service: this.#http.service,
      });
    // From 5.2 on: it took none of what it was given, as it does with what it has.
    if (answer.status === 409) return false;
    return wasTaken(this.#checked(answer, "POST torrents/add"), this.#http.service);
  }

  async #appears(infohash: string, tries: number, signal: AbortSignal | undefined): Promise<KnownTorrent | undefined> {
    for (let tried = 0; tried < tries; tried += 1) {
      if (tried > 0) await this.#clock.sleep(APPEARS_MS, signal);
      await this.#sync(signal);
      const known = this.#picture.find(infohash);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  async #known(infohash: string, signal: AbortSignal | undefined): Promise<KnownTorrent | undefined> {
    const known = this.#picture.find(infohash);
    if (known !== undefined) return known;
    await this.#sync(signal);
    return this.#picture.find(infohash);
  }

  #sync(signal: AbortSignal | undefined): Promise<void> {
    return this.#looking.pass(async () => {
      const answer = await this.#session.send(() => ({ url: `sync/maindata?rid=${this.#picture.rid}`, signal }));
      this.#picture.merge(await readJson(this.#checked(answer, "GET sync/maindata"), readChanges, this.#http.service));
    });
  }

  /** Of the Web API; read once in a session, as after a restart it may be another. */
  async #isSince(major: number, minor: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#version === undefined || this.#version.life !== this.#session.life) {
      this.#version = { text: await this.#said("app/webapiVersion", signal), life: this.#session.life };
    }
    const [ours = 0, theirs = 0] = this.#version.text.split(".").map(Number);
    return ours > major || (ours === major && theirs >= minor);
  }

  #send(request: GuardedRequest): Promise<Answer> {
    return this.#session.send(() => request);
  }

  async #ok(request: GuardedRequest): Promise<Answer> {
    return this.#checked(await this.#send(request), `${request.method ?? "GET"} ${request.url}`);
  }

  async #said(url: string, signal: AbortSignal | undefined): Promise<string> {
    return (await this.#ok({ url, signal })).body.toString("utf8").trim();
  }

  async #post(url: string, fields: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<void> {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await this.#ok({ method: "POST", url, headers, body: new URLSearchParams(fields).toString(), signal });
  }

  #checked(answer: Answer, what: string): Answer {
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw this.#http.faultOf(answer, what);
  }
}

function checkCredentials(username?: string, password?: string, apiKey?: string): void {
  if ((username === undefined) !== (password === undefined))
    throw new InputError("password", "a username needs a password, and a password a username");
  // From 5.2 on both at once are refused.
  if (apiKey !== undefined && username !== undefined)
    throw new InputError("apiKey", "give an API key, or a username with a password, not both");
}
