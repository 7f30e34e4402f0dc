import { describe, expect, it } from "vitest";
import { seededRandom } from "../../kit/index.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { lastInRound, Turns } from "./turns.ts";

const HIGHEST = 2n ** 63n - 1n;
const LOWEST = -(2n ** 63n);

describe("the last of a round", () => {
  it.each<[string, bigint[], bigint, bigint | undefined]>([
    ["nobody", [], 5n, undefined],
    ["those ahead, in order", [7n, 6n, 9n], 5n, 9n],
    ["who comes round is later than who is ahead", [9n, -3n], 5n, -3n],
    ["the one served before comes last", [9n, -3n, 5n], 5n, 5n],
    ["after the highest the lowest is next", [LOWEST, HIGHEST], HIGHEST, HIGHEST],
    ["and everything above it later", [LOWEST, 0n], HIGHEST, 0n],
  ])("%s", (_, keys, after, last) => {
    expect(lastInRound(keys, after)).toBe(last);
  });
});

describe("turns", () => {
  const place = { lane: 3, priority: 2 };
  const asked = (turns: Turns) => [{ ...place, floor: 0, after: turns.after(place) }];
  // Nothing else of a row is looked at.
  const row = (fair: string | null, priority = 2) => ({ lane: 3, priority, fair }) as ClaimedRow;

  it("go on after the last that was served, in each lane and priority for itself", () => {
    const turns = new Turns(seededRandom(1));
    turns.served([{ ...place, floor: 0, after: "0" }], [row("7"), row("4"), row("900", 3)]);
    expect(turns.after(place)).toBe("7");
  });

  it("begin anywhere, and again anywhere once nobody was served", () => {
    const turns = new Turns(seededRandom(1));
    turns.served(asked(turns), [row("7")]);
    turns.served(asked(turns), [row(null)]);
    const begins = new Set(Array.from({ length: 5 }, () => turns.after(place)));
    expect(begins.size).toBe(5);
    for (const after of begins) expect(BigInt(after) >= LOWEST && BigInt(after) <= HIGHEST).toBe(true);
  });
});
