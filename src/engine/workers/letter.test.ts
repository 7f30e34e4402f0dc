import { describe, expect, it } from "vitest";
import { readLetter } from "./letter.ts";

const fields = ["11", "12", 4, 3, "-9", "ann", null, null, "00-1", 1, { a: [1] }];
const letter = (...changes: readonly (readonly [number, unknown])[]) =>
  JSON.stringify([1, "7", [changes.reduce<unknown[]>((row, [at, value]) => row.with(at, value), fields)]]);

describe("a notification that brings items", () => {
  it("says whose they are, and what a claim would have answered with", () => {
    const read = readLetter(letter());
    expect(read?.epoch).toBe("7");
    expect(read?.rows).toMatchObject([
      { id: "11", request_id: "12", version: 1, lane: 4, stage: 0, priority: 3, nonce: "-9", owner: "ann", codec: 1 },
    ]);
    expect(read?.rows).toMatchObject([{ input: { a: [1] }, trace: "00-1", fairness: null, fair: null, suspicion: 0 }]);
  });

  it("is read as one only where all of it is", () => {
    const nonsense = ["", "7", "null", "{}", "[", "[1]", '[1,"7"]', '[1,"7",{}]', '[1,"7",[null]]', '[1,"7",[[]]]'];
    const others = ['[2,"7",[]]', "[1,7,[]]", '[1,"x",[]]', "[".repeat(100_000)];
    for (const text of [...nonsense, ...others]) expect(readLetter(text), text.slice(0, 30)).toBeUndefined();
    const wrong: readonly unknown[] = [11, "x", "4", 1.5, 9, 1, 1, 1, 1, "1"];
    for (const [at, value] of wrong.entries()) expect(readLetter(letter([at, value])), `field ${at}`).toBeUndefined();
  });
});
