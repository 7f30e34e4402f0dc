import { describe, expect, it } from "vitest";
import { readyWords } from "./ready-by.ts";

const NOW = new Date(2026, 10, 16, 17, 0).getTime();
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const told = (low: number, high: number) => readyWords({ low: at(low), high: at(high) }, NOW);

describe("when it is likely there", () => {
  it("is a range, rounded the more the further away it is", () => {
    expect(told(32, 58)).toMatch(/^ready ≈ (0?5:35 pm to 0?6:00 pm|17:35 to 18:00)$/i);
    expect(told(3.5, 7.2)).toMatch(/04.* to .*08/);
    expect(told(131, 201)).toMatch(/20.* to .*30/);
  });

  it("is one time where both ends come to the same", () => {
    expect(told(31, 34)).toMatch(/^ready ≈ \S*35\S*( PM)?$/i);
  });

  it("is the later end alone once the earlier one has passed", () => {
    expect(told(-5, 30)).toMatch(/^ready by ≈ .*30/);
  });

  it("has the day with it where that is another one", () => {
    expect(told(60 * 20, 60 * 30)).toMatch(/^ready ≈ 17 Nov.* to .*/);
    expect(told(60 * 20, 60 * 30).match(/Nov/g)).toHaveLength(1);
    expect(told(60 * 5, 60 * 30).match(/Nov/g)).toHaveLength(1);
  });

  it("is not told any more when it has passed: it takes longer", () => {
    expect(told(-30, -1)).toBe("takes longer than such things did");
  });
});
