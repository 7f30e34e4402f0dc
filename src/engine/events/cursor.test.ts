import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../kit/index.ts";
import { compareCursors, comparePositions, formatCursor, parseCursor } from "./cursor.ts";

const number = (max: bigint) => fc.bigInt(0n, max).map(String);
const cursor = fc.record({
  epoch: number((1n << 63n) - 1n),
  xid: number((1n << 64n) - 1n),
  seq: number((1n << 63n) - 1n),
});

describe("a cursor", () => {
  it("comes back as it went out", () => {
    fc.assert(
      fc.property(cursor, (given) => {
        expect(parseCursor(formatCursor(given))).toEqual(given);
      }),
    );
  });

  it("orders by transaction, then by sequence", () => {
    fc.assert(
      fc.property(cursor, cursor, (a, b) => {
        const expected = BigInt(a.xid) - BigInt(b.xid) || BigInt(a.seq) - BigInt(b.seq);
        expect(Math.sign(comparePositions(a, b))).toBe(expected < 0n ? -1 : expected > 0n ? 1 : 0);
      }),
    );
  });

  it("is compared with another of the same feed only", () => {
    const [early, late] = [
      formatCursor({ epoch: "1", xid: "99", seq: "9" }),
      formatCursor({ epoch: "1", xid: "100", seq: "1" }),
    ];
    expect(compareCursors(early, late)).toBeLessThan(0);
    expect(compareCursors(late, early)).toBeGreaterThan(0);
    expect(compareCursors(late, late)).toBe(0);
    expect(compareCursors(late, formatCursor({ epoch: "2", xid: "100", seq: "1" }))).toBeUndefined();
  });

  it.each([
    "",
    "1-2",
    "1-2-3-4",
    "A-1-1",
    "1--2",
    "zzzzzzzzzzzzz-1-1",
    "1-zzzzzzzzzzzzz-1",
    "1-1-zzzzzzzzzzzzz",
    "1-1-1\n",
    "x".repeat(500),
  ])("%j is none, and the error names the field", (text) => {
    expect(() => parseCursor(text)).toThrow(expect.objectContaining({ code: "INVALID_INPUT", field: "after" }));
  });

  it("is text, whatever an untyped caller passes", () => {
    for (const value of [null, 5, {}, undefined]) expect(() => parseCursor(value as never)).toThrow(InputError);
  });
});
