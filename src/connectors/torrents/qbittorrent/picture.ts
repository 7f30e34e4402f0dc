// What qBittorrent has, put together from what changed since the last answer.

import { safeText } from "../../../kit/index.ts";
import { infohashIn, type RawTorrent, tagsOf } from "./states.ts";

export interface KnownTorrent {
  /** qBittorrent's own name for it. */
  readonly id: string;
  readonly raw: RawTorrent;
}

/** An answer of sync/maindata, as far as it is used. */
export interface Changes {
  readonly rid: number;
  readonly isWhole: boolean;
  readonly torrents: readonly (readonly [id: string, changed: RawTorrent])[];
  readonly gone: readonly string[];
  readonly tags: readonly string[];
  readonly tagsGone: readonly string[];
  readonly server: Readonly<Record<string, unknown>>;
}

export class Picture {
  /** Up to where it is: what to ask for next. */
  rid = 0;
  readonly #torrents = new Map<string, RawTorrent>();
  readonly #ids = new Map<string, string>();
  readonly #tags = new Set<string>();
  #server: Readonly<Record<string, unknown>> = {};

  forget(): void {
    this.rid = 0;
    this.#torrents.clear();
    this.#ids.clear();
    this.#tags.clear();
    this.#server = {};
  }

  merge(changes: Changes): void {
    if (changes.isWhole) this.forget();
    this.rid = changes.rid;
    for (const id of changes.gone) this.#remove(id);
    for (const [id, changed] of changes.torrents) {
      const raw = { ...this.#torrents.get(id), ...changed };
      this.#torrents.set(id, raw);
      this.#ids.set(infohashIn(id, raw), id);
    }
    for (const tag of changes.tagsGone) this.#tags.delete(tag);
    for (const tag of changes.tags) this.#tags.add(tag);
    this.#server = { ...this.#server, ...changes.server };
  }

  #remove(id: string): void {
    const raw = this.#torrents.get(id);
    this.#torrents.delete(id);
    // A hybrid that was begun by its link changes its name when its metadata is there: the new one is not to be forgotten with the old.
    const infohash = raw === undefined ? id : infohashIn(id, raw);
    if (this.#ids.get(infohash) === id) this.#ids.delete(infohash);
  }

  get torrents(): Iterable<readonly [id: string, raw: RawTorrent]> {
    return this.#torrents;
  }

  get server(): Readonly<Record<string, unknown>> {
    return this.#server;
  }

  find(infohash: string): KnownTorrent | undefined {
    const id = this.#ids.get(infohash);
    const raw = id === undefined ? undefined : this.#torrents.get(id);
    return id === undefined || raw === undefined ? undefined : { id, raw };
  }

  hasTag(tag: string): boolean {
    return this.#tags.has(tag);
  }

  /** Whether a torrent other than this one has it. */
  isTagUsedBesides(tag: string, id: string | undefined): boolean {
    for (const [other, raw] of this.#torrents) if (other !== id && tagsOf(raw).includes(tag)) return true;
    return false;
  }
}

export function readChanges(answer: unknown): Changes {
  const said = record(answer, "the answer");
  if (typeof said.rid !== "number" || !Number.isInteger(said.rid)) throw new Error(`rid is ${safeText(said.rid, 80)}`);
  return {
    rid: said.rid,
    isWhole: said.full_update === true,
    torrents: Object.entries(record(said.torrents ?? {}, "torrents"))
      // Its name is sent back in addresses and forms.
      .filter(([id]) => /^[0-9a-f]{40,64}$/i.test(id))
      .map(([id, changed]) => [id, record(changed, `torrent ${id}`)] as const),
    gone: texts(said.torrents_removed, "torrents_removed"),
    tags: texts(said.tags, "tags"),
    tagsGone: texts(said.tags_removed, "tags_removed"),
    server: record(said.server_state ?? {}, "server_state"),
  };
}

export function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} is no object`);
  return value as Readonly<Record<string, unknown>>; // an object's properties are unknown until looked at
}

function texts(value: unknown, what: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) throw new Error(`${what} is no list`);
  return value;
}
