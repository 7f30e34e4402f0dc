import { describe, expect, it } from "vitest";
import type { Overview } from "../../../src/server/contract/wire.ts";
import { asksOf, idleOf } from "./attention.ts";

type Standing = Overview["pipelines"][number];

const films = (given: Partial<Standing>): Standing => ({
  ...{
    pipeline: "films",
    queued: 0,
    running: 0,
    waiting: 0,
    needsYou: 0,
    isMore: false,
    done: 9,
    failed: 9,
    took: null,
  },
  ...given,
});
const NOBODY = { alive: 0, late: 0, dead: 1 };
const SOMEBODY = { alive: 1, late: 1, dead: 1 };
const work = [films({ queued: 3, running: 2 }), films({ pipeline: "books", waiting: 4, needsYou: 5 })];

describe("work that nobody does", () => {
  it("is everything that is not done and waits for no person", () => {
    expect(idleOf({ workers: NOBODY, pipelines: work })).toEqual({ items: 9, isMore: false, isLate: false });
  });

  it("may be done by a worker that is only not heard from", () => {
    expect(idleOf({ workers: { ...NOBODY, late: 1 }, pipelines: work })).toMatchObject({ isLate: true });
  });

  it("is more than was counted where a pipeline's are", () => {
    expect(idleOf({ workers: NOBODY, pipelines: [films({ queued: 10_000, isMore: true })] })).toMatchObject({
      isMore: true,
    });
  });

  it("is nothing while a worker is there, or nothing is to be done", () => {
    expect(idleOf({ workers: SOMEBODY, pipelines: work })).toBeNull();
    expect(idleOf({ workers: NOBODY, pipelines: [films({ needsYou: 5 })] })).toBeNull();
  });
});

it.each([
  ["admin", NOBODY, 6],
  ["admin", SOMEBODY, 5],
  ["member", NOBODY, 5],
  ["viewer", NOBODY, 0],
] as const)("of a %s, with %j, asks what that person can see to: %i", (role, workers, asks) => {
  expect(asksOf({ workers, pipelines: work, needsYou: 5 }, role)).toBe(asks);
});
