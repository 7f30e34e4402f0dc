// The hand-over from pages of the database to the shared reader, in every order that the two can come in.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, JournalWorld } from "../../../test/support/journal-world.ts";
import { manualClock } from "../../kit/index.ts";
import type { Line } from "./outbox.ts";
import { Ring } from "./ring.ts";
import { type FeedSource, Subscription } from "./subscription.ts";

const EVERYTHING = { owner: null, topics: null };
const ROOMY = { lines: 1_000, characters: 100_000 };

const subscribe = (world: FeedSource, after: string | undefined, limits = ROOMY) =>
  new Subscription(world, { who: EVERYTHING, after, progress: true, limits });

const eventsOf = (lines: readonly Line[]) =>
  lines.filter(({ kind }) => kind === "event").map(({ json }) => Number(JSON.parse(json).code));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + 1 + index);

async function nextLines(subscription: Subscription): Promise<readonly Line[]> {
  const { value } = await subscription.next();
  return value ?? [];
}

describe("the hand-over", () => {
  it("neither misses nor repeats, whatever comes in between", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.oneof(fc.constant("commit" as const), fc.integer({ min: 1, max: 3 })), { maxLength: 30 }),
        async (s, ringSize, places, steps) => {
          const world = new JournalWorld(10, ringSize, () => s.schedule(Promise.resolve()));
          world.committed = 20;
          const seen = places.map(() => [] as number[]);
          const subscriptions = places.map((place) => subscribe(world, at(place)));
          const readers = subscriptions.map(async (subscription, index) => {
            for await (const lines of subscription) {
              seen[index]?.push(...eventsOf(lines));
              if (seen[index]?.at(-1) === 60) break;
            }
          });
          s.scheduleSequence(
            steps.map((step) => async () => {
              if (step === "commit") world.committed += 1;
              else world.readOn(step);
            }),
          );
          await s.waitAll();
          world.committed = 60;
          for (let turns = 0; turns < 40; turns += 1) {
            world.readOn(2);
            await s.waitAll();
          }
          await s.waitFor(Promise.all(readers));
          for (const [index, place] of places.entries()) expect(seen[index]).toEqual(range(place, 60));
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("needs no page where the ring has everything", async () => {
    const world = new JournalWorld(10, 50);
    world.committed = 15;
    world.readOn(5);
    const subscription = subscribe(world, at(12));
    expect((await nextLines(subscription))[0]).toMatchObject({ kind: "hello", id: at(12) });
    expect(eventsOf(await nextLines(subscription))).toEqual([13, 14, 15]);
    expect([world.pages, world.attached.size]).toEqual([0, 1]);
  });

  it("begins with what happens from now on where there is no place to go on from", async () => {
    const world = new JournalWorld(10, 50);
    world.committed = 15;
    world.readOn(5);
    const subscription = subscribe(world, undefined);
    expect(await nextLines(subscription)).toEqual([
      { kind: "hello", id: at(15), json: JSON.stringify({ id: at(15), type: "hello" }) },
    ]);
    expect(await nextLines(subscription)).toEqual([]);
    world.committed = 16;
    world.readOn(1);
    expect(eventsOf(await nextLines(subscription))).toEqual([16]);
    expect(world.pages).toBe(0);
  });

  it("takes what lies ahead of the shared reader, once it is seen to be a place of this feed", async () => {
    const world = new JournalWorld(10, 50);
    world.committed = 12;
    const subscription = subscribe(world, at(12));
    for (let n = 0; n < 3; n += 1) await nextLines(subscription);
    expect([world.pages, world.attached.size]).toEqual([1, 1]);
    world.committed = 13;
    world.readOn(5);
    expect(eventsOf(await nextLines(subscription))).toEqual([13]);
  });
});

describe("a subscriber that does not keep up", () => {
  it("is told to read the state anew, and goes on from there", async () => {
    const world = new JournalWorld(10, 50);
    const subscription = subscribe(world, undefined, { lines: 3, characters: 1_000 });
    await nextLines(subscription);
    await nextLines(subscription);
    world.committed = 20;
    world.readOn(10);
    const [only, ...more] = await nextLines(subscription);
    expect(only).toMatchObject({ kind: "resync", id: at(20) });
    expect(JSON.parse(only?.json ?? "")).toEqual({ id: at(20), type: "resync", reason: "overflow" });
    expect(more).toEqual([]);
    world.committed = 21;
    world.readOn(1);
    expect(eventsOf(await nextLines(subscription))).toEqual([21]);
  });

  it("is known by how long its last batch has been on its way", async () => {
    const clock = manualClock();
    const world = Object.assign(new JournalWorld(10, 50), { clock });
    const subscription = subscribe(world, undefined);
    expect(subscription.stalledMs).toBe(0);
    await nextLines(subscription);
    await clock.advance(700);
    expect(subscription.stalledMs).toBe(700);
    await nextLines(subscription);
    void subscription.next();
    await clock.advance(700);
    expect(subscription.stalledMs).toBe(0);
  });
});

describe("a feed that is another one", () => {
  it("is told of to whoever comes with a place of the old one", async () => {
    const world = new JournalWorld(10, 50);
    world.isReset = true;
    const subscription = subscribe(world, at(3));
    await nextLines(subscription);
    await nextLines(subscription);
    const [line] = await nextLines(subscription);
    expect(JSON.parse(line?.json ?? "")).toEqual({ id: at(10), type: "resync", reason: "reset" });
  });

  it("is told of to whoever listens, who then hears the new one", async () => {
    const world = new JournalWorld(10, 50);
    const subscription = subscribe(world, undefined);
    await nextLines(subscription);
    await nextLines(subscription);
    const next = nextLines(subscription);
    world.attached.clear();
    world.current = new Ring(at(30), 50);
    world.read = 30;
    world.committed = 30;
    subscription.reset();
    expect(await next).toEqual([]);
    expect((await nextLines(subscription))[0]).toMatchObject({ kind: "resync", id: at(30) });
    await nextLines(subscription);
    world.committed = 31;
    world.readOn(1);
    expect(eventsOf(await nextLines(subscription))).toEqual([31]);
  });
});

describe("a heartbeat", () => {
  it("moves the place to go on from, behind everything that was told", async () => {
    const world = new JournalWorld(10, 50);
    const who = { owner: null, topics: new Set(["pipeline:quiet"]) };
    const subscription = new Subscription(world, { who, after: undefined, progress: true, limits: ROOMY });
    await nextLines(subscription);
    await nextLines(subscription);
    world.committed = 14;
    world.readOn(4);
    subscription.heartbeat();
    expect(await nextLines(subscription)).toMatchObject([{ kind: "heartbeat", id: at(14) }]);
  });
});

it("a subscription that fails is over, and gives its place back", async () => {
  const world = new JournalWorld(10, 50);
  world.page = () => Promise.reject(new Error("away"));
  const subscription = subscribe(world, at(3));
  const ended: string[] = [];
  subscription.onEnd((reason) => ended.push(reason));
  await nextLines(subscription);
  await expect(subscription.next()).rejects.toThrow("away");
  expect(ended).toEqual(["going-away"]);
  subscription.onEnd((reason) => ended.push(`${reason}, as who comes late is told`));
  expect(ended[1]).toBe("going-away, as who comes late is told");
  expect(await subscription.next()).toEqual({ done: true, value: undefined });
});
