import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../kit/index.ts";
import { checkShares, placeOf, versionAt } from "./shares.ts";

const keys = (count: number) => Array.from({ length: count }, (_, n) => `film:${n}`);
const given = (shares: Record<string, number>, texts: readonly string[]) =>
  texts.map((text) => versionAt(shares, placeOf("media", text)));

describe("the place of a request", () => {
  it("is the same each time, for ever: stored requests depend on it", () => {
    expect(placeOf("media", "film:1")).toBeCloseTo(67.4164781686688, 9);
    expect(placeOf("media", "film:2")).toBeCloseTo(35.723853041060494, 9);
    expect(placeOf("documents", "film:1")).toBeCloseTo(50.072380966796715, 9);
  });

  it("is anywhere from 0 up to 100", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const place = placeOf("media", text);
        return place >= 0 && place < 100;
      }),
    );
  });
});

describe("the version at a place", () => {
  it.each([
    [{ 1: 90, 2: 10 }, 9.999, 2],
    [{ 1: 90, 2: 10 }, 10, 1],
    [{ 1: 100, 2: 0 }, 0, 1],
    [{ 1: 0, 2: 100 }, 99.999, 2],
    [{ 1: 20, 2: 30, 3: 50 }, 49.9, 3],
    [{ 1: 20, 2: 30, 3: 50 }, 50, 2],
    [{ 1: 20, 2: 30, 3: 50 }, 80, 1],
    [{ 9: 50, 10: 50 }, 10, 10],
    [{ 1: 100 / 3, 2: 100 / 3, 3: 100 / 3 }, 99.9999999999999, 1],
  ])("of %o at %d is %d", (shares, place, version) => {
    expect(versionAt(shares, place)).toBe(version);
  });

  it("gives ten thousand requests their share, within one percent", () => {
    for (const percent of [1, 10, 50, 90]) {
      const newer = given({ 1: 100 - percent, 2: percent }, keys(10_000)).filter((version) => version === 2);
      expect(Math.abs(newer.length / 100 - percent)).toBeLessThan(1);
    }
  });

  it("moves requests one way only when the newest version's share is raised, whoever it is taken from", () => {
    const shares = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })).map(([a, b]) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      return { 1: low, 2: high - low, 3: 100 - high };
    });
    fc.assert(
      fc.property(
        shares,
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: 0, max: 99.999, noNaN: true }),
        (old, by, place) => {
          const raised = Math.min(100, old[3] + by);
          const rest = 100 - raised;
          const fromFirst = Math.min(old[1], rest);
          const now = { 1: fromFirst, 2: rest - fromFirst, 3: raised };
          return versionAt(now, place) >= versionAt(old, place);
        },
      ),
    );
  });
});

describe("shares", () => {
  it.each([
    ["shares", { 1: 50, 2: 49 }],
    ["shares", {}],
    ["shares", { one: 100 }],
    ["shares", { 0: 100 }],
    ["shares.2", { 1: 100, 2: -1 }],
    ["shares.1", { 1: Number.NaN }],
    ["shares.1", { 1: "100" as unknown as number }],
    ["shares", null as unknown as Record<string, number>],
    ["shares", [100] as unknown as Record<string, number>],
  ])("have to add up: %s of %o", (field, shares) => {
    expect(() => checkShares(shares)).toThrow(InputError);
    expect(() => checkShares(shares)).toThrow(expect.objectContaining({ field }));
  });

  it("may be thirds", () => {
    expect(checkShares({ 1: 33.3333333, 2: 33.3333333, 3: 33.3333334 })).toEqual({
      1: 33.3333333,
      2: 33.3333333,
      3: 33.3333334,
    });
  });
});
