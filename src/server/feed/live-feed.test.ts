import { describe, expect, it } from "vitest";
import { FeedResetError, type ItemEvent, type SluiceEvent } from "../../engine/index.ts";
import { silentLogger, systemClock } from "../../kit/index.ts";
import { FEED_LIMITS, FEED_TIMES, type FeedTimes, LiveFeed, type LiveFeedPorts } from "./live-feed.ts";
import type { Line } from "./outbox.ts";
import type { Subscription } from "./subscription.ts";

const at = (xid: number, epoch = 1) => `${epoch}-${xid.toString(36)}-1`;
const event = (cursor: string): ItemEvent => ({
  type: "item.done",
  cursor,
  at: new Date(0),
  item: "itm_0000000000001" as never,
  request: "req_0000000000001" as never,
  owner: null,
  key: null,
  pipeline: "films",
  version: 1,
  from: "find",
  to: null,
  outcome: "done",
  end: null,
  attempt: 1,
  series: 1,
  tookMs: 1,
  reason: null,
  code: null,
  message: null,
  worker: null,
  output: null,
});

/** An engine whose feed the test writes by hand. */
class Engine {
  opened = 0;
  end = at(10);
  signal: AbortSignal | undefined;
  #asking: PromiseWithResolvers<SluiceEvent> = Promise.withResolvers();

  readonly sluice: LiveFeedPorts["sluice"] = {
    events: async ({ after = at(0) } = {}) => ({ events: [], cursor: after, isEnd: true }),
    feedEnd: async () => this.end,
    live: () => ({ changes: async () => [] }) as never, // nothing is worked on here
    feed: ({ signal } = {}) => {
      this.opened += 1;
      this.signal = signal;
      return this.#events();
    },
  };

  happens(cursor: string): void {
    this.#asking.resolve(event(cursor));
  }

  breaks(error: Error): void {
    this.#asking.reject(error);
  }

  async *#events(): AsyncGenerator<SluiceEvent> {
    for (;;) {
      this.#asking = Promise.withResolvers();
      yield await this.#asking.promise;
    }
  }
}

const open = (engine: Engine, times: Partial<FeedTimes> = {}) =>
  new LiveFeed({
    sluice: engine.sluice,
    clock: systemClock,
    log: silentLogger,
    times: { ...FEED_TIMES, paceMs: 0, ...times },
    limits: FEED_LIMITS,
  });
const subscribe = (feed: LiveFeed) =>
  feed.subscribe({ who: { owner: null, topics: null }, after: undefined, progress: true });

async function lines(subscription: Subscription): Promise<readonly Line[]> {
  const { value } = await subscription.next();
  return value ?? [];
}

/** Greeted and attached. */
async function arrived(feed: LiveFeed): Promise<Subscription> {
  const subscription = subscribe(feed);
  await lines(subscription);
  await lines(subscription);
  return subscription;
}

const ended = (subscription: Subscription) =>
  new Promise<string>((resolve) => {
    subscription.onEnd(resolve);
  });

describe("the shared reader", () => {
  it("reads once, however many listen", async () => {
    const engine = new Engine();
    const feed = open(engine);
    const all = await Promise.all(Array.from({ length: 50 }, () => arrived(feed)));
    const next = all.map(lines);
    engine.happens(at(11));
    for (const told of await Promise.all(next)) expect(told).toMatchObject([{ kind: "event", id: at(11) }]);
    expect([engine.opened, feed.size]).toEqual([1, 50]);
    feed.close();
    expect([feed.size, engine.signal?.aborted]).toEqual([0, true]);
    const closing = expect.objectContaining({ code: "UNAVAILABLE" });
    expect(() => subscribe(feed)).toThrow(closing);
    await expect(feed.ring()).rejects.toEqual(closing);
  });

  it("stops a while after the last has left, and begins anew for the next", async () => {
    const engine = new Engine();
    const feed = open(engine, { lingerMs: 5 });
    const first = await arrived(feed);
    const stopped = new Promise<void>((resolve) => engine.signal?.addEventListener("abort", () => resolve()));
    first.end("left");
    await stopped;
    await arrived(feed);
    expect(engine.opened).toBe(2);
    feed.close();
  });

  it("tells everybody when the feed is another one, and reads that", async () => {
    const engine = new Engine();
    const feed = open(engine);
    const subscription = await arrived(feed);
    const next = lines(subscription);
    engine.end = at(3, 2);
    engine.breaks(new FeedResetError());
    expect(await next).toEqual([]);
    expect(await lines(subscription)).toMatchObject([{ kind: "resync", id: at(3, 2) }]);
    await lines(subscription);
    const more = lines(subscription);
    engine.happens(at(4, 2));
    expect(await more).toMatchObject([{ id: at(4, 2) }]);
    feed.close();
  });

  it("has everybody connect again when it does not know better", async () => {
    const engine = new Engine();
    const feed = open(engine);
    const subscription = await arrived(feed);
    const reason = ended(subscription);
    engine.breaks(new Error("a bug"));
    expect(await reason).toBe("going-away");
    expect(await subscription.next()).toEqual({ done: true, value: undefined });
    await arrived(feed);
    expect(engine.opened).toBe(2);
    feed.close();
  });

  it("tells whoever comes that it cannot begin, and tries again with the next", async () => {
    const engine = new Engine();
    const feed = open({
      ...engine,
      sluice: { ...engine.sluice, feedEnd: () => Promise.reject(new Error("away")) },
    } as Engine);
    await expect(feed.ring()).rejects.toThrow("away");
    await expect(feed.ring()).rejects.toThrow("away");
    feed.close();
  });

  it("ends those who take nothing any more", async () => {
    const engine = new Engine();
    const feed = open(engine, { heartbeatMs: 5, stallMs: 20 });
    const stuck = subscribe(feed);
    await lines(stuck);
    const alive = await arrived(feed);
    const beats = (async () => {
      for await (const told of alive) if (told.some(({ kind }) => kind === "event")) return;
    })();
    expect(await ended(stuck)).toBe("stalled");
    expect(feed.size).toBe(1);
    engine.happens(at(11));
    await beats;
    feed.close();
  });
});
