import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BugError, InputError } from "./errors.ts";
import { formatId, type IdKind, type ItemId, idsBeginning, parseId, type RequestId } from "./ids.ts";

const LARGEST = 2n ** 63n - 1n;
const KINDS: IdKind[] = ["item", "request", "worker", "question"];
const anyKind = fc.constantFrom(...KINDS);
// The longer ones are written in another way.
const anyNumber = fc.oneof(fc.bigInt({ min: 0n, max: LARGEST }), fc.bigInt({ min: 0n, max: 2n ** 54n }));

describe("ids", () => {
  test.each<[IdKind, bigint | string, string]>([
    ["item", 1n, "itm_0000000000001"],
    ["item", "31", "itm_000000000000z"],
    ["request", 32n, "req_0000000000010"],
    ["worker", 0n, "wrk_0000000000000"],
    ["item", "1073741824", "itm_0000001000000"],
    ["item", "999999999999999", "itm_000wdftjcczzz"],
    ["item", "1000000000000000", "itm_000wdftjcd000"],
    ["question", LARGEST, "qst_7zzzzzzzzzzzz"],
  ])("%s %s is written %s and read back", (kind, n, text) => {
    expect(formatId(kind, n)).toBe(text);
    expect(parseId(kind, text)).toBe(String(n));
  });

  test("neighbours, and those of different kinds in turn, are each written as if alone", () => {
    for (const n of ["1022", "1023", "1024", "1025", "1023", "1073741823", "1073741824"]) {
      for (const kind of ["item", "request"] as const) expect(formatId(kind, n)).toBe(formatId(kind, BigInt(n)));
    }
  });

  test("kinds are distinct types", () => {
    const item: ItemId = formatId("item", 1n);
    // @ts-expect-error an item id is not a request id
    const request: RequestId = item;
    expect(request).toBe(item);
  });

  test("any number of any kind comes back, in upper case too", () => {
    fc.assert(
      fc.property(anyKind, anyNumber, (kind, n) => {
        const text = formatId(kind, n);
        expect(text).toMatch(/^[a-z]{3}_[0-9a-hjkmnp-tv-z]{13}$/);
        expect(formatId(kind, n.toString())).toBe(text);
        expect(parseId(kind, text)).toBe(n.toString());
        expect(parseId(kind, text.toUpperCase())).toBe(n.toString());
      }),
    );
  });

  test("text order is numeric order", () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (a, b) => {
        expect(formatId("item", a) < formatId("item", b)).toBe(a < b);
      }),
    );
  });

  test("letters that people mistake are read as what was meant", () => {
    expect(parseId("item", "itm_OoIiLl0000000")).toBe(parseId("item", "itm_0011110000000"));
  });

  test("an id of one kind is never taken for another", () => {
    fc.assert(
      fc.property(anyKind, anyKind, anyNumber, (kind, other, n) => {
        fc.pre(kind !== other);
        expect(() => parseId(kind, formatId(other, n))).toThrow(InputError);
      }),
    );
  });

  test("any other text is refused with an input error, or is another spelling of an id", () => {
    const nearly = fc.tuple(fc.constantFrom("itm_", "ITM_", "itm", "_"), fc.string({ maxLength: 15, unit: "binary" }));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          nearly.map(([a, b]) => a + b),
        ),
        (text) => {
          try {
            const n = parseId("item", text);
            expect(formatId("item", n).length).toBe(text.length);
          } catch (error) {
            expect(error).toBeInstanceOf(InputError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  const looks = "itemId: an item id looks like itm_0000000000001, got";
  test.each([
    ["req_0000000000002", `${looks} "req_0000000000002", which is a request`],
    ["17", `${looks} "17"`],
    ["", `${looks} ""`],
    ["itm", `${looks} "itm", with 0 characters after the prefix, not 13`],
    ["itm_00", `${looks} "itm_00", with 2 characters after the prefix, not 13`],
    ["itm_000000000000u", `${looks} "itm_000000000000u", in which "u" cannot stand`],
    ["itm_000000_00000a", `${looks} "itm_000000_00000a", in which "_" cannot stand`],
    ["itm_8000000000000", `${looks} "itm_8000000000000", which is beyond the largest id`],
    ["itm_000000000000\u212a", `${looks} "itm_000000000000\u212a", in which "\u212a" cannot stand`],
    ["x".repeat(99), `${looks} "${"x".repeat(40)}…"`],
  ])("%s is refused with a reason", (text, message) => {
    expect(() => parseId("item", text)).toThrow(new InputError("itemId", message));
  });

  test("the error names the field it was told", () => {
    expect(() => parseId("worker", "nonsense", "query.worker")).toThrow(
      expect.objectContaining({ field: "query.worker", message: expect.stringContaining("query.worker: a worker id") }),
    );
  });

  test.each(["-1", "1.5", "", "1e3", " 1", "9223372036854775808", -1n, LARGEST + 1n])("writing %s is a bug", (n) => {
    expect(() => formatId("item", n)).toThrow(BugError);
  });
});

describe("the beginning of an id", () => {
  test.each<[string, string, [string, string][]]>([
    ["the whole id", "itm_0000000000015", [["37", "37"]]],
    ["all but its last character", "itm_000000000001", [["32", "63"]]],
    ["the same without what it begins with", "000000000001", [["32", "63"]]],
    ["nothing but zeros", "itm_00000", [["0", String(32n ** 8n - 1n)]]],
  ])("%s", (_, text, ranges) => {
    expect(idsBeginning("item", text)).toEqual(ranges.map(([low, high]) => ({ low, high })));
  });

  test("without its zeros: first the one that is written so, then those that go on", () => {
    expect(idsBeginning("item", "15")?.slice(0, 2)).toEqual([
      { low: "37", high: "37" },
      { low: "1184", high: "1215" },
    ]);
    expect(idsBeginning("item", "ITM_15")).toEqual(idsBeginning("item", "15"));
  });

  test.each(["", "itm_", "req_1", "u", "a b", "00000000000000", "zzzzzzzzzzzzz"])("%j begins none", (text) => {
    expect(idsBeginning("item", text)).toBeUndefined();
  });

  test("holds every id that begins so, and no other", () => {
    fc.assert(
      fc.property(anyNumber, fc.integer({ min: 1, max: 13 }), fc.boolean(), anyNumber, (n, length, isWhole, other) => {
        const textOf = (number: bigint) => {
          const padded = formatId("item", number).slice(4);
          return isWhole ? padded : padded.replace(/^0+(?=.)/, "");
        };
        const begun = textOf(n).slice(0, length);
        const ranges = idsBeginning("item", begun) ?? [];
        const has = (number: bigint) => ranges.some(({ low, high }) => BigInt(low) <= number && number <= BigInt(high));
        expect(has(n)).toBe(true);
        // Zeros in front are those of the whole text.
        if (isWhole === begun.startsWith("0")) expect(has(other)).toBe(textOf(other).startsWith(begun));
      }),
    );
  });
});
