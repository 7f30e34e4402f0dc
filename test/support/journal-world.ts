// A journal of numbers and a shared reader that is somewhere in it, for subscribers to be handed over to.

import { type EventPage, FeedResetError, type SluiceEvent } from "../../src/engine/index.ts";
import { type Clock, systemClock } from "../../src/kit/index.ts";
import { CatchUp, type ToldPage } from "../../src/server/feed/catch-up.ts";
import { type Kept, toTold } from "../../src/server/feed/envelope.ts";
import { Ring } from "../../src/server/feed/ring.ts";
import type { FeedSource, Subscription } from "../../src/server/feed/subscription.ts";

/** The place of an event. */
export const at = (xid: number) => `1-${xid.toString(36)}-1`;
const happening = (xid: number): SluiceEvent => ({
  type: "worker.changed",
  cursor: at(xid),
  at: new Date(0),
  reason: null,
  code: String(xid),
  message: null,
  worker: null,
  output: null,
});
const event = (xid: number): Kept => toTold(happening(xid));

export class JournalWorld implements FeedSource {
  readonly clock: Clock = { monotonic: systemClock.monotonic, sleep: async () => void (await this.#turn()) };
  readonly attached = new Set<Subscription>();
  current: Ring;
  committed: number;
  read: number;
  pages = 0;
  isReset = false;
  readonly #turn: () => Promise<unknown>;
  readonly #catchUp = new CatchUp({
    clock: systemClock,
    read: (after) => this.#read(after),
    head: () => this.current.head,
  });

  constructor(start: number, ringSize: number, turn: () => Promise<unknown> = async () => {}) {
    this.committed = start;
    this.read = start;
    this.current = new Ring(at(start), ringSize);
    this.#turn = turn;
  }

  async ring(): Promise<Ring> {
    await this.#turn();
    return this.current;
  }

  async page(after: string): Promise<ToldPage> {
    return await this.#catchUp.page(after);
  }

  async #read(after: string): Promise<EventPage> {
    this.pages += 1;
    await this.#turn();
    if (this.isReset) throw new FeedResetError();
    const from = Number.parseInt(after.split("-")[1] ?? "", 36);
    const to = Math.min(this.committed, from + 3);
    const events = Array.from({ length: to - from }, (_, index) => happening(from + 1 + index));
    const found = { events, cursor: events.at(-1)?.cursor ?? after, isEnd: to === this.committed };
    await this.#turn();
    return found;
  }

  attach(subscription: Subscription, ring: Ring): boolean {
    if (ring !== this.current) return false;
    this.attached.add(subscription);
    return true;
  }

  leave(subscription: Subscription): void {
    this.attached.delete(subscription);
  }

  /** The shared reader reads on, up to so many. */
  readOn(most: number): void {
    for (const to = Math.min(this.committed, this.read + most); this.read < to; ) {
      this.read += 1;
      this.current.add(event(this.read));
      for (const one of this.attached) one.tell(event(this.read));
    }
    for (const one of this.attached) one.flush();
  }
}
