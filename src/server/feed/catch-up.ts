// Pages of the database for those who were away for longer than memory goes back. Many ask for the same one at the same time,
// after a restart all of them, so a page is read once and shared for a moment.

import type { EventPage } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import { Gate } from "../../kit/index.ts";
import { type Told, toTold } from "./envelope.ts";
import { laterOf } from "./ring.ts";

export interface ToldPage {
  readonly events: readonly Told[];
  /** Everything up to here was seen by whoever has seen this page and what came before it. */
  readonly cursor: string;
  readonly isEnd: boolean;
}

export interface CatchUpPorts {
  readonly clock: Clock;
  readonly read: (after: string) => Promise<EventPage>;
  /** How far the shared reader is. */
  readonly head: () => string | undefined;
}

/** So many are read at a time: others need connections too. */
const READERS = 2;
const KEEP_MS = 1_000;
const KEEP_MOST = 50;

export class CatchUp {
  readonly #ports: CatchUpPorts;
  readonly #gate = new Gate(READERS);
  readonly #pages = new Map<string, { readonly page: Promise<ToldPage>; readonly at: number }>();

  constructor(ports: CatchUpPorts) {
    this.#ports = ports;
  }

  async page(after: string): Promise<ToldPage> {
    const now = this.#ports.clock.monotonic();
    for (const [key, { at }] of this.#pages) if (now - at > KEEP_MS) this.#pages.delete(key);
    const kept = this.#pages.get(after);
    if (kept !== undefined) return await kept.page;
    const page = this.#gate.pass(() => this.#read(after));
    if (this.#pages.size < KEEP_MOST) this.#pages.set(after, { page, at: now });
    try {
      const read = await page;
      // One that leads nowhere would lead there again.
      if (read.cursor === after) this.#pages.delete(after);
      return read;
    } catch (error) {
      this.#pages.delete(after);
      throw error;
    }
  }

  /**
   * What the shared reader had when the page was asked for was visible in the database by then. So a page that came to the end
   * has all of it, though its last event may be an older one.
   */
  async #read(after: string): Promise<ToldPage> {
    const head = this.#ports.head();
    const { events, cursor, isEnd } = await this.#ports.read(after);
    const seenTo = isEnd && head !== undefined ? laterOf(cursor, head) : cursor;
    return { events: events.map(toTold), cursor: seenTo, isEnd };
  }
}
