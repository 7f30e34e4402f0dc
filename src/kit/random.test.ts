import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Random, seededRandom, systemRandom } from "./random.ts";

const LARGEST = 2n ** 63n - 1n;
const draw = (random: Random, count: number) => Array.from({ length: count }, () => random.token());

describe.each<[string, () => Random]>([
  ["systemRandom", () => systemRandom],
  ["seededRandom", () => seededRandom(7)],
])("%s", (_name, make) => {
  test("tokens are positive 63-bit numbers and do not repeat", () => {
    const tokens = draw(make(), 2_000);
    for (const token of tokens) expect(token > 0n && token <= LARGEST).toBe(true);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test("every one of the 63 bits of a token is set about half of the time", () => {
    const tokens = draw(make(), 2_000);
    for (let bit = 0n; bit < 63n; bit++) {
      const set = tokens.filter((token) => (token >> bit) & 1n).length;
      // Ten standard deviations around 1000.
      expect(set, `bit ${bit}`).toBeGreaterThan(775);
      expect(set, `bit ${bit}`).toBeLessThan(1_225);
    }
  });

  test("fractions lie in [0, 1) and fill it evenly", () => {
    const random = make();
    const tenths = new Array<number>(10).fill(0);
    for (let i = 0; i < 5_000; i++) {
      const fraction = random.fraction();
      expect(fraction >= 0 && fraction < 1).toBe(true);
      const tenth = Math.floor(fraction * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) {
      expect(count).toBeGreaterThan(300);
      expect(count).toBeLessThan(700);
    }
  });
});

describe("seededRandom", () => {
  test("follows the published sequence of splitmix64 (low 63 bits)", () => {
    expect(draw(seededRandom(1_234_567), 3)).toEqual([
      6_457_827_717_110_365_317n,
      3_203_168_211_198_807_973n,
      9_817_491_932_198_370_423n & LARGEST,
    ]);
  });

  test("the same seed replays, another seed differs", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (seed) => {
        expect(draw(seededRandom(seed), 5)).toEqual(draw(seededRandom(seed), 5));
        expect(draw(seededRandom(seed), 1)).not.toEqual(draw(seededRandom(seed === 0 ? 1 : -seed), 1));
      }),
    );
  });

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])("%s is no seed", (seed) => {
    expect(() => seededRandom(seed)).toThrow("a seed is a whole number");
  });
});
