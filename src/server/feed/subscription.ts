// One subscriber: from where it left off, through pages of the database, to the shared reader; batch by batch, as fast as it
// takes them and no faster.
//
// The hand-over: pages are read until their place is within the ring; what the ring holds beyond it is what is missing. From
// taking that to being attached nothing is awaited, so nothing can come in between.

import { compareCursors, FeedResetError } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import { type Audience, shownTo } from "./audience.ts";
import type { ToldPage } from "./catch-up.ts";
import type { Told } from "./envelope.ts";
import { type Line, notice, Outbox, type OutboxLimits } from "./outbox.ts";
import type { Ring } from "./ring.ts";

/** What a subscriber needs of the shared reader. */
export interface FeedSource {
  readonly clock: Clock;
  ring(): Promise<Ring>;
  page(after: string): Promise<ToldPage>;
  /** From now on it is told what comes. False where the ring is no longer the one that is read into. */
  attach(subscription: Subscription, ring: Ring): boolean;
  /** It is over, attached or not. */
  leave(subscription: Subscription): void;
}

export interface SubscriptionOptions {
  readonly who: Audience;
  /** Without one: from now on. */
  readonly after: string | undefined;
  /** Whether it is told what happens between events. */
  readonly progress: boolean;
  readonly limits: OutboxLimits;
}

/** So many at once of what the ring holds. */
const BATCH = 500;
/** Between two looks that led nowhere: a page of one feed while the ring is still of another. */
const RETRY_MS = 250;

export type EndReason = "left" | "access-ended" | "going-away" | "stalled";

export class Subscription implements AsyncIterableIterator<readonly Line[]> {
  readonly #source: FeedSource;
  readonly #options: SubscriptionOptions;
  readonly #outbox: Outbox;
  readonly #onEnd: ((reason: EndReason) => void)[] = [];
  /** Where it stands while it is not attached. */
  #after: string | undefined;
  /** The ring it is attached to. */
  #ring: Ring | undefined;
  /** Ahead of the shared reader: what comes up to here, it has. */
  #skipTo: string | undefined;
  /** A page came to the end of the feed, and its place is after that. */
  #isAtEnd = false;
  #hasGreeted = false;
  #wake: (() => void) | undefined;
  #handedAt: number | undefined;
  /** Why it is over. */
  #over: EndReason | undefined;

  constructor(source: FeedSource, options: SubscriptionOptions) {
    this.#source = source;
    this.#options = options;
    this.#outbox = new Outbox(options.limits);
    this.#after = options.after;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** A batch, in order; may be empty. The last one is out when this is called again. */
  async next(): Promise<IteratorResult<readonly Line[]>> {
    this.#handedAt = undefined;
    const lines = this.#over === undefined ? await this.#batch() : [];
    if (this.#over !== undefined) return { done: true, value: undefined };
    this.#handedAt = this.#source.clock.monotonic();
    return { done: false, value: lines };
  }

  async return(): Promise<IteratorResult<readonly Line[]>> {
    this.end("left");
    return { done: true, value: undefined };
  }

  /** At once where it is over already: it may be, before anybody could listen. */
  onEnd(listener: (reason: EndReason) => void): void {
    if (this.#over === undefined) this.#onEnd.push(listener);
    else listener(this.#over);
  }

  end(reason: EndReason): void {
    if (this.#over !== undefined) return;
    this.#over = reason;
    this.#source.leave(this);
    this.#wake?.();
    for (const listener of this.#onEnd) listener(reason);
  }

  /** From the shared reader, in its order. */
  tell(told: Told): void {
    if (told.cursor === null) {
      this.#tellProgress(told);
      return;
    }
    if (this.#skipTo !== undefined) {
      if ((compareCursors(told.cursor, this.#skipTo) ?? 1) <= 0) return;
      this.#skipTo = undefined;
    }
    const json = shownTo(told, this.#options.who);
    if (json !== undefined) this.#outbox.push({ kind: "event", id: told.cursor, json }, told.item);
  }

  /** Lets what was told go out. */
  flush(): void {
    if (!this.#outbox.isEmpty) this.#wake?.();
  }

  /** Only where nothing waits to be sent: that says as much. */
  heartbeat(): void {
    if (this.#ring === undefined || !this.#outbox.isEmpty) return;
    this.#outbox.push(notice("heartbeat", this.#skipTo ?? this.#ring.head));
    this.flush();
  }

  /** The feed is another one now, and what it had is worth nothing. */
  reset(): void {
    this.#outbox.take();
    this.#ring = undefined;
    this.#skipTo = undefined;
    this.#after = undefined;
    this.#isAtEnd = false;
    this.#wake?.();
  }

  /** For how long its last batch has been on its way. */
  get stalledMs(): number {
    return this.#handedAt === undefined ? 0 : this.#source.clock.monotonic() - this.#handedAt;
  }

  #tellProgress(told: Told): void {
    const json = this.#options.progress ? shownTo(told, this.#options.who) : undefined;
    if (json !== undefined && told.item !== null)
      this.#outbox.pushProgress({ kind: "event", id: null, json }, told.item);
  }

  async #batch(): Promise<readonly Line[]> {
    try {
      return this.#ring === undefined ? await this.#join() : await this.#news(this.#ring);
    } catch (error) {
      this.end("going-away");
      throw error;
    }
  }

  async #news(ring: Ring): Promise<readonly Line[]> {
    if (this.#outbox.isEmpty) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const { lines, hasLost } = this.#outbox.take();
    return hasLost ? [notice("resync", this.#skipTo ?? ring.head, { reason: "overflow" })] : lines;
  }

  async #join(): Promise<readonly Line[]> {
    const ring = await this.#source.ring();
    if (!this.#hasGreeted || this.#after === undefined) return this.#greet(ring);
    const missed = ring.after(this.#after);
    if (typeof missed !== "string") return this.#fromRing(ring, missed);
    // Ahead of the shared reader, which is seen to be a place of this feed.
    if (missed === "beyond" && this.#isAtEnd) return this.#fromRing(ring, [], this.#after);
    return await this.#fromPage(this.#after);
  }

  async #fromPage(after: string): Promise<readonly Line[]> {
    const page = await this.#pageAfter(after);
    if (page === undefined) return [];
    const { events, cursor, isEnd } = page;
    if (isEnd && this.#isAtEnd && events.length === 0) await this.#source.clock.sleep(RETRY_MS);
    this.#isAtEnd = isEnd;
    this.#after = cursor;
    return this.#shown(events);
  }

  #greet(ring: Ring): readonly Line[] {
    const wasHere = this.#hasGreeted;
    this.#hasGreeted = true;
    this.#after ??= ring.head;
    return [wasHere ? notice("resync", this.#after, { reason: "reset" }) : notice("hello", this.#after)];
  }

  #fromRing(ring: Ring, missed: readonly Told[], skipTo?: string): readonly Line[] {
    const some = missed.slice(0, BATCH);
    if (some.length === missed.length && this.#over === undefined) {
      if (!this.#source.attach(this, ring)) return [];
      this.#ring = ring;
      this.#skipTo = skipTo;
    }
    this.#after = some.at(-1)?.cursor ?? this.#after;
    return this.#shown(some);
  }

  /** Undefined where its place is of a feed that is no more: it begins anew. */
  async #pageAfter(after: string): Promise<ToldPage | undefined> {
    try {
      return await this.#source.page(after);
    } catch (error) {
      if (!(error instanceof FeedResetError)) throw error;
      this.#after = undefined;
      this.#isAtEnd = false;
      return undefined;
    }
  }

  #shown(events: readonly Told[]): Line[] {
    return events.flatMap((told) => {
      const json = shownTo(told, this.#options.who);
      return json === undefined ? [] : [{ kind: "event" as const, id: told.cursor, json }];
    });
  }
}
