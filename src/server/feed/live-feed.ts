// One reader of the engine's feed for all who are connected: five hundred of them cost one query per change. It reads while
// somebody listens, and for a while after, so that who comes back at once finds everything in memory. What the server follows
// for itself (metrics, the transition log, traces) is read apart from it.

import { FeedResetError, type Logger, type Sluice, SluiceError } from "../../engine/index.ts";
import { type Clock, safeText } from "../../kit/index.ts";
import { CatchUp, type ToldPage } from "./catch-up.ts";
import { liveTold, type Told, toTold } from "./envelope.ts";
import { Ring } from "./ring.ts";
import { type FeedSource, Subscription, type SubscriptionOptions } from "./subscription.ts";

export interface FeedTimes {
  /** Between two writes to the same subscriber, so that what comes close together goes out in one. */
  readonly paceMs: number;
  readonly pollMs: number;
  readonly progressMs: number;
  readonly heartbeatMs: number;
  /** A batch that is on its way for longer belongs to somebody who is not there any more. */
  readonly stallMs: number;
  readonly lingerMs: number;
}

export const FEED_TIMES: FeedTimes = {
  paceMs: 100,
  pollMs: 250,
  progressMs: 1_000,
  heartbeatMs: 15_000,
  stallMs: 60_000,
  lingerMs: 60_000,
};

export interface FeedLimits {
  /** Events kept in memory; up to twice as many for moments. */
  readonly ring: number;
  readonly lines: number;
  readonly characters: number;
}

export const FEED_LIMITS: FeedLimits = { ring: 3_000, lines: 1_000, characters: 1_048_576 };

export interface LiveFeedPorts {
  readonly sluice: Pick<Sluice, "events" | "feed" | "feedEnd" | "live">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times: FeedTimes;
  readonly limits: FeedLimits;
}

const PAGE = 500;

interface Reading {
  readonly ring: Promise<Ring>;
  readonly stop: AbortController;
}

export class LiveFeed implements FeedSource {
  readonly clock: Clock;
  readonly #ports: LiveFeedPorts;
  readonly #catchUp: CatchUp;
  readonly #all = new Set<Subscription>();
  readonly #attached = new Set<Subscription>();
  #reading: Reading | undefined;
  /** The one that is read into. */
  #ring: Ring | undefined;
  #flushing: NodeJS.Timeout | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #lingering: NodeJS.Timeout | undefined;
  #isBlind = false;
  #isClosed = false;

  constructor(ports: LiveFeedPorts) {
    this.clock = ports.clock;
    this.#ports = ports;
    this.#catchUp = new CatchUp({
      clock: ports.clock,
      read: (after) => ports.sluice.events({ after, limit: PAGE, outputs: false }),
      head: () => this.#ring?.head,
    });
  }

  get size(): number {
    return this.#all.size;
  }

  subscribe(options: Omit<SubscriptionOptions, "limits">): Subscription {
    this.#checkOpen();
    const subscription = new Subscription(this, { ...options, limits: this.#ports.limits });
    this.#all.add(subscription);
    return subscription;
  }

  /** Waits until there is something for them after this place, or they are told to wait no longer. */
  async somethingFor(options: Omit<SubscriptionOptions, "limits" | "progress">, enough: AbortSignal): Promise<void> {
    const subscription = this.subscribe({ ...options, progress: false });
    const leave = () => subscription.end("left");
    enough.addEventListener("abort", leave);
    if (enough.aborted) leave();
    try {
      for await (const lines of subscription)
        if (lines.some(({ kind }) => kind === "event" || kind === "resync")) return;
    } finally {
      enough.removeEventListener("abort", leave);
    }
  }

  async ring(): Promise<Ring> {
    this.#checkOpen();
    clearTimeout(this.#lingering);
    this.#lingering = undefined;
    this.#reading ??= this.#begin();
    return await this.#reading.ring;
  }

  async page(after: string): Promise<ToldPage> {
    return await this.#catchUp.page(after);
  }

  attach(subscription: Subscription, ring: Ring): boolean {
    if (ring !== this.#ring) return false;
    this.#attached.add(subscription);
    return true;
  }

  leave(subscription: Subscription): void {
    this.#all.delete(subscription);
    this.#attached.delete(subscription);
    if (this.#all.size > 0 || this.#reading === undefined) return;
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => this.#stop(), this.#ports.times.lingerMs).unref();
  }

  close(): void {
    this.#isClosed = true;
    for (const subscription of this.#all) subscription.end("going-away");
    this.#stop();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new SluiceError("UNAVAILABLE", "the server is closing; try again in a moment");
  }

  #begin(): Reading {
    const stop = new AbortController();
    const reading = { ring: this.#openRing(stop), stop };
    // Whoever waits for it is told; the next to come tries again.
    reading.ring.catch(() => {
      if (this.#reading === reading) this.#stop();
    });
    return reading;
  }

  async #openRing(stop: AbortController): Promise<Ring> {
    const { sluice, limits, times } = this.#ports;
    const ring = new Ring(await sluice.feedEnd(), limits.ring);
    if (stop.signal.aborted) return ring;
    this.#ring = ring;
    void this.#read(ring, stop);
    const live = sluice.live();
    every(times.progressMs, stop.signal, () => this.#lookAtProgress(live));
    every(times.heartbeatMs, stop.signal, () => this.#beat());
    return ring;
  }

  async #read(ring: Ring, stop: AbortController): Promise<void> {
    const { sluice, times } = this.#ports;
    const { signal } = stop;
    const after = ring.head;
    try {
      for await (const event of sluice.feed({ after, signal, limit: PAGE, outputs: false, pollMs: times.pollMs })) {
        const told = toTold(event);
        ring.add(told);
        this.#tellAll(told);
      }
    } catch (error) {
      this.#broken(error, stop);
    }
  }

  #tellAll(told: Told): void {
    for (const subscription of this.#attached) subscription.tell(told);
    const { paceMs } = this.#ports.times;
    const wait = Math.max(0, this.#flushedAt + paceMs - this.clock.monotonic());
    this.#flushing ??= setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#flushing = undefined;
    this.#flushedAt = this.clock.monotonic();
    for (const subscription of this.#attached) subscription.flush();
  }

  async #lookAtProgress(live: ReturnType<Sluice["live"]>): Promise<void> {
    if (this.#attached.size === 0) return;
    try {
      for (const item of await live.changes()) this.#tellAll(liveTold(item));
      this.#isBlind = false;
    } catch (error) {
      // Once for an outage, not every second of it.
      if (!this.#isBlind) this.#ports.log.warn("feed.no-progress", { error: safeText(error, 300) });
      this.#isBlind = true;
    }
  }

  #beat(): void {
    for (const subscription of this.#all) {
      if (subscription.stalledMs > this.#ports.times.stallMs) subscription.end("stalled");
      else subscription.heartbeat();
    }
  }

  /** Whoever listens begins anew: told so where the feed is another one, by connecting again where we do not know better. */
  #broken(error: unknown, stop: AbortController): void {
    if (stop.signal.aborted) return;
    this.#stop();
    const isReset = error instanceof FeedResetError;
    this.#ports.log[isReset ? "warn" : "error"]("feed.broken", { error: safeText(error, 300) });
    for (const subscription of [...this.#attached]) {
      this.#attached.delete(subscription);
      if (isReset) subscription.reset();
      else subscription.end("going-away");
    }
  }

  #stop(): void {
    this.#reading?.stop.abort();
    this.#reading = undefined;
    this.#ring = undefined;
    clearTimeout(this.#lingering);
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
  }
}

/** One at a time, until the signal says otherwise. Does not keep a process alive that has nothing else to do. */
function every(ms: number, signal: AbortSignal, step: () => Promise<void> | void): void {
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    await step();
    isBusy = false;
  }, ms).unref();
  signal.addEventListener("abort", () => clearInterval(timer));
}
