// No interleaving of two workers makes two results of one document. One is stopped at a point of its work, and taken for dead; the other takes
// over, and is stopped at a point of its own; then one of them goes on, or both, in either order. Every such case is tried.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POINTS, type Point, TwoWorkers } from "./two-workers-world.ts";

let world: TwoWorkers;
beforeAll(async () => {
  world = await TwoWorkers.open();
});
afterAll(() => world.close());

/** What a worker still passes that takes over from one that is stopped there: what was settled is not done again. */
const AFTER: Readonly<Record<Point, readonly Point[]>> = {
  ...{ asking: POINTS, made: POINTS, converted: POINTS },
  ...{ saving: ["saving", "saved"], saved: ["saving", "saved"] },
};

/** Who goes on, in this order; who does not is dead. */
const ENDS = ["first", "second", "first, second", "second, first"] as const;

const CASES = POINTS.flatMap((first) =>
  AFTER[first].flatMap((second) => ENDS.map((end): [Point, Point, (typeof ENDS)[number]] => [first, second, end])),
);

/** So long something that comes late may take to be written. */
const LATE_MS = 15_000;

describe("two workers and one document", () => {
  it.each(CASES)("one stopped at %s, the other at %s; goes on: %s", async (firstPoint, secondPoint, end) => {
    const before = await world.results();
    const item = await world.upload();
    const first = await world.start(firstPoint);
    expect(await world.until(() => first.process.isStopped)).toBe(true);
    const second = await world.start(secondPoint);
    expect(await world.until(() => second.process.isStopped)).toBe(true);
    const isComplete = async () => (await world.came(item)).times > 0;
    const going = end.split(", ").map((which) => (which === "first" ? first : second));
    for (const { process } of going) {
      process.goOn();
      await world.until(isComplete, going.length === 1 ? undefined : LATE_MS);
    }
    expect(await world.until(isComplete)).toBe(true);
    await world.until(() => false, LATE_MS);
    const { result, times } = await world.came(item);
    expect(times).toBe(1);
    // One file more than before, and it is one of those that the gateway made.
    const own = [...(await world.results())].filter(([name]) => !before.has(name));
    expect(own.map(([name]) => name)).toEqual([`${result}.xml`]);
    expect([...world.made.values()].at(-1)).toContain(own[0]?.[1]);
    for (const { sluice } of going) await world.stop(sluice);
  });
});
