// A little qBittorrent that speaks the Web API in one of its dialects, on a world with its own ground truth. Down is a closed port.

import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { infohashOf, readTorrent, TorrentWorld, type TorrentWorldOptions } from "../../src/connectors/index.ts";
import { LoopbackHttp } from "../service/loopback-http.ts";
import { Doors } from "./qbittorrent-doors.ts";
import { type Dialect, fieldsOf, type Snapshot, VERSIONS } from "./qbittorrent-words.ts";

type Answer = readonly [status: number, body?: unknown];

export class QbittorrentServer {
  readonly world: TorrentWorld;
  readonly doors: Doors;
  /** Method and address of every request, without what stands before the API. */
  readonly requests: string[] = [];
  /** Instead of the next answers, one each: an answer, or none at all after having acted. */
  readonly troubles: (Answer | "reset")[] = [];
  /** What it calls a torrent instead of its infohash, as it does with hybrids. */
  readonly ids = new Map<string, string>();
  readonly #dialect: Dialect;
  readonly #tags = new Set<string>();
  readonly #http = new LoopbackHttp((request, response) => this.#handle(request, response));

  constructor(dialect: Dialect, options: TorrentWorldOptions = {}) {
    this.#dialect = dialect;
    this.world = new TorrentWorld(options);
    this.doors = new Doors(dialect);
  }

  get url(): string {
    return this.#http.origin;
  }

  /** Without a port: any free one, and the same again after an outage. */
  async start(port?: number): Promise<void> {
    await this.#http.up(port);
  }

  /** Sessions do not outlive it. */
  async stop(): Promise<void> {
    this.doors.expire();
    await this.#http.down();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const what = url.pathname.replace("/api/v2/", "");
    this.requests.push(`${request.method} ${what}${url.search}`);
    const body = await buffer(request);
    const trouble = this.troubles.shift();
    const answer = typeof trouble === "object" ? trouble : await this.#answer(request, what, url.searchParams, body);
    if (trouble === "reset") return void request.socket.resetAndDestroy();
    const [status, said] = answer;
    if (typeof said === "object" && said !== null && "cookie" in said) {
      const { cookie, text } = said as { cookie?: string; text: string }; // made below
      return void response.writeHead(status, cookie === undefined ? {} : { "set-cookie": cookie }).end(text);
    }
    response.writeHead(status).end(said === undefined || typeof said === "string" ? said : JSON.stringify(said));
  }

  async #answer(request: IncomingMessage, what: string, query: URLSearchParams, body: Buffer): Promise<Answer> {
    const isPost = request.method === "POST";
    if (what === "auth/login") {
      const isKeyed = request.headers.authorization !== undefined;
      const { status, body: text, cookie } = this.doors.logIn(new URLSearchParams(body.toString()), isKeyed);
      return [status, { cookie, text }];
    }
    const session = this.doors.sessionOf(request);
    if (session === null) return [403, "Forbidden"];
    switch (what) {
      case "app/version":
        return [200, VERSIONS[this.#dialect][0]];
      case "app/webapiVersion":
        return [200, VERSIONS[this.#dialect][1]];
      case "app/defaultSavePath":
        return [200, this.world.folder];
      case "sync/maindata":
        return [200, session.answer(Number(query.get("rid")), this.#snapshot())];
      case "torrents/files":
        return this.#files(this.#infohash(query.get("hash") ?? ""));
    }
    if (!isPost) return [405, "Method Not Allowed"];
    if (what === "torrents/add") return this.#add(request.headers["content-type"] ?? "", body);
    return this.#command(what, new URLSearchParams(body.toString()));
  }

  #command(what: string, form: URLSearchParams): Answer {
    const infohashes = (form.get("hashes") ?? "").split("|").map((id) => this.#infohash(id));
    const tags = (form.get("tags") ?? "").split(",");
    const verbs = this.#dialect === "4.6" ? ["pause", "resume"] : ["stop", "start"];
    const act = {
      "torrents/addTags": () => this.#tag(infohashes, tags),
      "torrents/removeTags": () => this.#untag(infohashes, tags),
      "torrents/deleteTags": () => {
        this.#untag(this.world.truth().alive, tags);
        for (const tag of tags) this.#tags.delete(tag);
      },
      "torrents/delete": () => {
        for (const infohash of infohashes) this.world.remove(infohash, form.get("deleteFiles") === "true");
      },
      "torrents/reannounce": () => undefined,
      [`torrents/${verbs[0]}`]: () => infohashes.forEach((each) => void this.world.pause(each)),
      [`torrents/${verbs[1]}`]: () => infohashes.forEach((each) => void this.world.resume(each)),
    }[what];
    if (act === undefined) return [404, "Not Found"];
    act();
    return this.#dialect === "5.2" ? [204] : [200, ""];
  }

  /** Its user wants torrents to wait, and managed by category: both have to be said otherwise, in the dialect's own words. */
  async #add(type: string, body: Buffer): Promise<Answer> {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const file = form.get("torrents");
    const magnet = form.get("urls");
    const bytes = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : undefined;
    if (bytes !== undefined && bytes[0] !== 0x64) return [415, "not a valid torrent file"];
    const metadata = bytes === undefined ? undefined : readTorrent(bytes);
    const infohash = metadata?.infohash ?? infohashOf({ magnet: String(magnet) });
    const folder = form.get("autoTMM") === "false" ? String(form.get("savepath")) : this.world.folder;
    const tags = String(form.get("tags")).split(",");
    const isAdded = this.world.add(infohash, folder, tags, metadata);
    if (isAdded) for (const tag of tags) this.#tags.add(tag);
    const mayStart = form.get(this.#dialect === "4.6" ? "paused" : "stopped") === "false";
    if (isAdded && !mayStart) this.world.pause(infohash);
    if (this.#dialect !== "5.2") return [200, isAdded ? "Ok." : "Fails."];
    const added = isAdded ? [infohash] : [];
    const counts = { success_count: added.length, failure_count: 1 - added.length, pending_count: 0 };
    return [isAdded ? 200 : 409, { ...counts, added_torrent_ids: added }];
  }

  #files(infohash: string): Answer {
    if (this.world.get(infohash) === undefined) return [404, "Not Found"];
    const files = this.world.files(infohash);
    return [
      200,
      files.map(({ index, path, bytes, doneBytes }) => ({
        index,
        name: path,
        size: bytes,
        progress: doneBytes / bytes,
      })),
    ];
  }

  #tag(infohashes: readonly string[], tags: readonly string[]): void {
    for (const infohash of infohashes) for (const tag of tags) this.world.get(infohash)?.tags.add(tag);
    for (const tag of tags) this.#tags.add(tag);
  }

  #untag(infohashes: readonly string[], tags: readonly string[]): void {
    for (const infohash of infohashes) for (const tag of tags) this.world.get(infohash)?.tags.delete(tag);
  }

  #snapshot(): Snapshot {
    const torrents = this.world.all().map((torrent) => {
      return [
        this.ids.get(torrent.infohash) ?? torrent.infohash,
        fieldsOf(this.world, torrent, this.#dialect),
      ] as const;
    });
    const server = { connection_status: "connected", free_space_on_disk: 5_000_000_000 };
    return { torrents: new Map(torrents), tags: [...this.#tags], server };
  }

  #infohash(id: string): string {
    return [...this.ids].find(([, each]) => each === id)?.[0] ?? id;
  }

  /** Its list of tags, also of those that no torrent has. */
  get tags(): readonly string[] {
    return [...this.#tags];
  }
}
