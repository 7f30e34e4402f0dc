import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type SmallWorld, smallWorld } from "../../../test/support/small-world.ts";
import { type Clock, manualClock, seededRandom } from "../../kit/index.ts";
import { done } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { formatCursor } from "./cursor.ts";
import { feed, type SubscriptionPorts } from "./feed.ts";
import { openFeed } from "./feed-epoch.ts";
import { newestCursor } from "./read-events.ts";

const film = definePipeline("film", { version: 1, input: z.unknown() })
  .stage("search", { run: () => done({ found: 1 }) })
  .stage("encode", { run: () => done() });

let db: PgliteDatabase;
let world: SmallWorld;
const random = seededRandom(7);

beforeAll(async () => {
  db = await openPglite();
  await openFeed(db, random);
  world = await smallWorld(db, [film]);
  await world.worker("1");
});
afterAll(() => db.close());

/** Submits an item and takes it through both stages: accepted, done, completed. */
async function passThrough() {
  const submitted = await world.submit(film);
  for (let stage = 0; stage < 2; stage += 1) {
    for (const held of await world.claim("1")) {
      await world.settle(held, "1", { outcome: stage === 0 ? done({ found: 1 }) : done() });
    }
  }
  return submitted;
}

describe("the feed as an iterator", () => {
  let clock: ReturnType<typeof manualClock>;
  let asleep: PromiseWithResolvers<void>;
  let ports: SubscriptionPorts;

  beforeEach(() => {
    clock = manualClock();
    asleep = Promise.withResolvers();
    const told: Clock = {
      monotonic: clock.monotonic,
      sleep(ms, signal) {
        const slept = clock.sleep(ms, signal);
        asleep.resolve();
        asleep = Promise.withResolvers();
        return slept;
      },
    };
    ports = { db, random, clock: told };
  });

  it("gives what is there, then waits for the poll", async () => {
    const after = await newestCursor({ db, random });
    const { items } = await passThrough();
    const events = feed(ports, { after, limit: 2 });
    for (let n = 0; n < 3; n += 1) expect((await events.next()).value).toMatchObject({ item: items[0] });
    const sleeping = asleep.promise;
    const next = events.next();
    await sleeping;
    await passThrough();
    await clock.advance(1_000);
    expect((await next).value).toMatchObject({ type: "item.accepted" });
    await events.return?.();
    expect(clock.sleepers()).toBe(0);
  });

  it("is faster when somebody wakes it", async () => {
    let moved = () => {};
    const onMoved = (listener: () => void) => {
      moved = listener;
      return () => {
        moved = () => {};
      };
    };
    const events = feed({ ...ports, onMoved }, { after: await newestCursor({ db, random }) });
    const sleeping = asleep.promise;
    const next = events.next();
    await sleeping;
    await passThrough();
    moved();
    expect((await next).value).toMatchObject({ type: "item.accepted" });
    await events.return?.();
  });

  it("serves several askers in the order they came", async () => {
    const after = await newestCursor({ db, random });
    await passThrough();
    const events = feed(ports, { after });
    const found = await Promise.all([events.next(), events.next(), events.next()]);
    expect(found.map((one) => one.value.type)).toEqual(["item.accepted", "item.done", "item.completed"]);
    await events.return?.();
  });

  it("ends when its signal aborts, also while it waits", async () => {
    const stop = new AbortController();
    const events = feed(ports, { after: await newestCursor({ db, random }), signal: stop.signal });
    const sleeping = asleep.promise;
    const next = events.next();
    await sleeping;
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await clock.settle();
    expect(clock.sleepers()).toBe(0);
    expect(await feed(ports, { signal: stop.signal }).next()).toEqual({ done: true, value: undefined });
  });

  it("can be read with for await, and left", async () => {
    const { request } = await passThrough();
    const seen: string[] = [];
    for await (const event of feed(ports, { request })) {
      seen.push(event.type);
      if (event.type === "item.completed") break;
    }
    expect(seen).toEqual(["item.accepted", "item.done", "item.completed"]);
    expect(clock.sleepers()).toBe(0);
  });

  it("waits out a database that is away", async () => {
    let isAway = true;
    const warnings: string[] = [];
    const flaky: SubscriptionPorts = {
      ...ports,
      log: { info() {}, error() {}, warn: (event) => warnings.push(event) },
      db: {
        ...db,
        query: (statement, values) =>
          isAway ? Promise.reject(Object.assign(new Error("gone"), { code: "57P01" })) : db.query(statement, values),
      },
    };
    const after = await newestCursor({ db, random });
    await passThrough();
    const events = feed(flaky, { after });
    const sleeping = asleep.promise;
    const next = events.next();
    await sleeping;
    expect(warnings).toEqual(["feed.interrupted"]);
    isAway = false;
    await clock.advance(1_000);
    expect((await next).value).toMatchObject({ type: "item.accepted" });
    await events.return?.();
  });

  it("tells its reader to begin anew after a restore", async () => {
    const events = feed(ports, { after: formatCursor({ epoch: "5", xid: "1", seq: "1" }) });
    await expect(events.next()).rejects.toMatchObject({ code: "FEED_RESET" });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(clock.sleepers()).toBe(0);
  });

  it("refuses nonsense at once", () => {
    expect(() => feed(ports, { after: "nonsense" })).toThrow(expect.objectContaining({ field: "after" }));
  });
});
