import { describe, expect, test } from "vitest";
import { type Flaw, INVARIANT, type Invariant } from "./invariants.ts";
import { explore } from "./search.ts";
import type { Bounds } from "./state.ts";

describe("every invariant holds in every state that can be reached", () => {
  // Two items with troubles are searched in whole.test.ts, which takes longer.
  test.each<[string, Bounds, number]>([
    ["2 items, 2 workers, 2 stages, no trouble", { items: 2, workers: 2, troubles: 0, begins: true }, 1_000],
    ["1 item, 2 workers, 2 stages, any 2 troubles", { items: 1, workers: 2, troubles: 2, begins: true }, 20_000],
  ])("%s", (name, bounds, atLeast) => {
    const found = explore(bounds);
    console.log(`${name}: ${found.states} states, ${found.transitions} transitions`);
    expect(found.broken).toBeNull();
    // A slip in the rules that lets nothing happen would break no invariant either.
    expect(found.states).toBeGreaterThan(atLeast);
  });
});

describe("each rule is needed: without it an invariant breaks", () => {
  const bounds: Bounds = { items: 1, workers: 2, troubles: 2, begins: false };
  test.each<[Flaw, Invariant]>([
    ["the fence lacks the version", INVARIANT.oneOwner],
    ["the fence lacks the epoch", INVARIANT.oneOwner],
    ["reclaim leaves the version", INVARIANT.versionRises],
    ["an unknown commit is repeated blindly", INVARIANT.legalPath],
    ["counts are raised outside the fence", INVARIANT.counts],
    ["cancel has no fence", INVARIANT.final],
    ["a retry starts at version 0", INVARIANT.versionRises],
    ["a retry keeps the series", INVARIANT.once],
    ["a reclaim counts an attempt", INVARIANT.attempts],
    ["a dead worker is swept only once", INVARIANT.nothingForgotten],
    ["a worker does not look for leases it does not know of", INVARIANT.nothingForgotten],
    ["a worker keeps its epoch after a failover", INVARIANT.oneOwner],
    ["a repeat of what was written is called refused", INVARIANT.refusals],
  ])("%s → %s", (flaw, invariant) => {
    expect(explore(bounds, [flaw]).broken?.invariant).toBe(invariant);
  });

  test("the story of a broken invariant tells how it came to be", () => {
    expect(explore(bounds, ["cancel has no fence"]).broken?.story.slice(-3)).toEqual([
      "item 0: somebody is about to cancel",
      "worker 0, item 0: settle done",
      "item 0: cancel",
    ]);
  });
});
