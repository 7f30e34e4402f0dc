import { describe, expect, it } from "vitest";
import { manualClock } from "../../kit/index.ts";
import { Pace } from "./pace.ts";

describe("a pace", () => {
  it("lets so many bytes go in a second, over all that share it", async () => {
    const clock = manualClock();
    const pace = new Pace(1_000, clock);
    const went: string[] = [];
    const take = async (name: string, bytes: number) => {
      await pace.take(bytes);
      went.push(name);
    };
    const all = [take("first", 500), take("second", 1_000), take("third", 1)];
    await clock.advance(0);
    expect(went).toEqual(["first"]);
    await clock.advance(500);
    expect(went).toEqual(["first", "second"]);
    await clock.advance(999);
    expect(went).toEqual(["first", "second"]);
    await clock.advance(1);
    expect(went).toEqual(["first", "second", "third"]);
    await Promise.all(all);
  });

  it("saves up nothing while nobody sends, and is none where nothing is said", async () => {
    const clock = manualClock();
    const pace = new Pace(1_000, clock);
    await clock.advance(60_000);
    await pace.take(1_000);
    const next = pace.take(1).then(() => clock.monotonic());
    await clock.advance(1_000);
    expect(await next).toBe(61_000);
    await new Pace(null, clock).take(1_000_000_000);
  });
});
