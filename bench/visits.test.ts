import { describe, expect, it } from "vitest";
import type { Opened } from "./contender.ts";
import { payload } from "./payload.ts";
import { Visits } from "./visits.ts";

const store = (finished: number | undefined, isEmpty = true): Opened => ({
  submit: async () => {},
  submitOne: async () => {},
  work: async () => {},
  close: async () => {},
  isEmpty: async () => isEmpty,
  countFinished: async () => finished,
});

describe("the check at the end of a run", () => {
  it("is content when every item was at every stage once", async () => {
    const visits = new Visits(2, 2);
    for (const index of [0, 1]) for (const stage of [0, 1]) visits.visit(payload(index), stage);
    await visits.complete;
    expect(await visits.faults(store(4))).toEqual([]);
    // A store that keeps nothing cannot contradict.
    expect(await visits.faults(store(undefined))).toEqual([]);
  });

  it("names what was lost, repeated, left over, or told differently by the store", async () => {
    const visits = new Visits(2, 2);
    visits.visit(payload(0), 0);
    visits.visit(payload(0), 0);
    expect(await visits.faults(store(2, false))).toEqual([
      "3 visits are missing",
      "1 visits came twice",
      "something is unfinished in the store",
      "the store shows 2 finished stages instead of 4",
    ]);
  });

  it("does not accept what was never handed in", () => {
    expect(() => new Visits(1, 1).visit(payload(1), 0)).toThrow("never handed in");
  });
});
