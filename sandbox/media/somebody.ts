// Somebody else who uses the same download client: adds torrents for themselves, and deletes what is not theirs.

import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StockRelease } from "./stock.ts";

export interface ClientDoor {
  readonly url: string;
  readonly token: string;
  /** Where the client puts things. */
  readonly folder: string;
}

export interface ClientTorrent {
  readonly infohash: string;
  readonly state: string;
  readonly tags: readonly string[];
  readonly isOurs: boolean;
}

const UNFINISHED = new Set(["metadata", "queued", "downloading"]);

export class Somebody {
  readonly #door: ClientDoor;

  constructor(door: ClientDoor) {
    this.#door = door;
  }

  get #own(): string {
    return join(this.#door.folder, "somebody");
  }

  get #deletions(): string {
    return join(this.#own, "deleted");
  }

  async all(): Promise<readonly ClientTorrent[]> {
    const { torrents } = (await this.#ask("GET", "torrents?all=true")) as { torrents: ClientTorrent[] }; // its own words
    return torrents;
  }

  /** For themselves: without a tag, to a folder of their own. */
  async add({ infohash, torrent }: StockRelease): Promise<void> {
    const folder = join(this.#own, infohash);
    await this.#ask("POST", "torrents", { infohash, file: torrent, tag: null, folder });
  }

  /** Remembers it first: whatever becomes of either, nothing else can be missed. */
  async delete(infohash: string): Promise<void> {
    mkdirSync(this.#own, { recursive: true });
    appendFileSync(this.#deletions, `${infohash}\n`);
    await this.#ask("DELETE", `torrents/${infohash}?withFiles=true`);
  }

  /** All that they ever deleted, or tried to. */
  deleted(): ReadonlySet<string> {
    mkdirSync(this.#own, { recursive: true });
    appendFileSync(this.#deletions, "");
    return new Set(readFileSync(this.#deletions, "utf8").split("\n").filter(Boolean));
  }

  /** What Sluice is downloading at this moment; what is being checked may be whole. */
  async unfinished(): Promise<readonly ClientTorrent[]> {
    return (await this.all()).filter(({ state, tags }) => tags.length > 0 && UNFINISHED.has(state));
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const { url, token } = this.#door;
    const headers = { authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(new URL(path, url), { method, headers, ...sent });
    if (!answer.ok) throw new Error(`the download client answered ${answer.status}: ${await answer.text()}`);
    return await answer.json();
  }
}
