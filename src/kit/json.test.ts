import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "./errors.ts";
import { checkJson } from "./json.ts";

const check = (value: unknown, maxBytes = 65_536) => checkJson(value, { field: "input", maxBytes });

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? { a: value } : [value];
  return value;
}

class Film {
  title = "Metropolis";
}

describe("checkJson", () => {
  test.each<[unknown, string]>([
    [null, "null"],
    ['a"\n😀', '"a\\"\\n😀"'],
    [{ films: [{ title: "M", year: 1931 }], ok: true }, '{"films":[{"title":"M","year":1931}],"ok":true}'],
    [{ a: undefined, b: 1, c: undefined }, '{"b":1}'],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    [-0, "0"],
    [[], "[]"],
    [{}, "{}"],
  ])("%o is stored as %s", (value, text) => {
    expect(check(value)).toBe(text);
  });

  test.each<[string, unknown, string, string]>([
    ["a BigInt", { n: 1n }, "input.n", "is a BigInt, which JSON cannot hold; use text"],
    ["a function", { run() {} }, "input.run", "is a function, which JSON cannot hold; leave it out"],
    ["a symbol", [Symbol("s")], "input[0]", "is a symbol"],
    ["undefined", undefined, "input", "is undefined, which JSON cannot hold; use null"],
    ["undefined in an array", { films: [1, undefined] }, "input.films[1]", "is undefined"],
    ["a hole in an array", new Array(2), "input[0]", "is undefined"],
    ["NaN", { films: [1, 2, { title: Number.NaN }] }, "input.films[2].title", "is NaN"],
    ["Infinity", [[Number.NEGATIVE_INFINITY]], "input[0][0]", "is -Infinity"],
    ["a Date", { at: new Date(0) }, "input.at", "is a Date; use its toISOString()"],
    ["a Map", { m: new Map() }, "input.m", "is a Map; use Object.fromEntries(map)"],
    ["a Set", { s: new Set() }, "input.s", "is a Set; use an array: [...set]"],
    ["bytes", { b: Buffer.from("x") }, "input.b", "is binary data; use base64 text or a reference"],
    ["a Promise", { p: Promise.resolve() }, "input.p", "is a Promise; await it first"],
    ["an Error", { e: new Error("x") }, "input.e", "is an Error; use its message"],
    ["an instance", { film: new Film() }, "input.film", "is an instance of Film; use a plain object"],
    ["boxed text", { s: Object("x") }, "input.s", "is an instance of String"],
    ["NUL in text", { t: "a\0" }, "input.t", "is text with a NUL character"],
    ["NUL in a key", { "a\0": 1 }, 'input["a\\u0000"]', "has a key with a NUL character"],
    ["a cut surrogate pair", ["\ud83d"], "input[0]", "is text with half of a surrogate pair"],
    ["a cut key", { "\ud83d": 1 }, 'input["\\ud83d"]', "has a key with half of a surrogate pair"],
    ["a key that is no name", { "a b": { c: 1n } }, 'input["a b"].c', "is a BigInt"],
  ])("%s is refused where it stands", (_what, value, field, reason) => {
    expect(() => check(value)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", field, message: expect.stringContaining(`${field} ${reason}`) }),
    );
  });

  test("a circle is refused; a value that only appears twice is not", () => {
    const film: Record<string, unknown> = { title: "M" };
    expect(check([film, film])).toBe('[{"title":"M"},{"title":"M"}]');
    film.sequel = { of: film };
    expect(() => check({ film })).toThrow("input.film.sequel.of is circular");
  });

  test("64 levels are stored, 65 are not", () => {
    expect(JSON.parse(check(nested(64)))).toEqual(nested(64));
    expect(() => check(nested(65))).toThrow("lies more than 64 levels deep");
  });

  test("a getter that throws is the input's fault, and its error is the cause", () => {
    const cause = new Error("no");
    const value = {
      film: {
        get title(): string {
          throw cause;
        },
      },
    };
    expect(() => check(value)).toThrow(
      expect.objectContaining({ field: "input.film.title", message: "input.film.title cannot be read", cause }),
    );
  });

  test("the limit counts bytes of UTF-8 and is itself allowed", () => {
    expect(check("é", 4)).toBe('"é"');
    expect(() => check("é", 3)).toThrow(
      "input is 4 bytes, at most 3 are stored; keep large things in a file and pass a reference",
    );
    expect(() => check("x".repeat(10 * 1024 * 1024 - 2))).toThrow(
      "input is 10,485,760 bytes, at most 65,536 are stored",
    );
  });

  test("a long text with something special at its end is written whole", () => {
    const value = `${"x".repeat(5_000_000)}"`;
    expect(JSON.parse(check(value, 6_000_000)) === value).toBe(true);
  });

  test("what unfolds without end is measured only so far", () => {
    let tree: unknown = "leaf".repeat(1_000);
    for (let level = 0; level < 60; level++) tree = [tree, tree];
    expect(() => check(tree)).toThrow("input is more than 16,777,216 bytes");
    expect(() => check("x".repeat(17 * 1024 * 1024))).toThrow("input is more than 16,777,216 bytes");
  });

  test("plain JSON comes back as it was, in the very text JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme", maxDepth: 6 }), (value) => {
        const text = check(value, 1_000_000);
        expect(text).toBe(JSON.stringify(value));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        // JSON itself has no -0; all else must be equal to the last bit.
        fc.pre(!Object.is(value, -0) && !/-0\b/.test(fc.stringify(value)));
        expect(JSON.parse(text)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  test("whatever is passed, it is stored without loss or refused with a path", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      values: [fc.string({ unit: "binary" }), fc.double(), fc.constantFrom("\0", "\ud800", undefined, null)],
    });
    fc.assert(
      fc.property(anything, (value) => {
        try {
          const text = check(value);
          expect(text).toBe(JSON.stringify(value));
          expect(text).not.toContain("\\u0000");
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as InputError).field).toMatch(/^input/); // instance checked above
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("stores what was read, once, whatever an object would say of itself another time", () => {
    let reads = 0;
    const counting = {
      get n() {
        reads += 1;
        return reads;
      },
    };
    expect([check(counting), reads]).toEqual(['{"n":1}', 1]);
    const hidden = Object.defineProperty({ a: 1 }, "toJSON", { value: () => "\0" });
    expect(check(hidden)).toBe('{"a":1}');
    expect(check({ a: -0, b: null, c: true, d: "plain" })).toBe('{"a":0,"b":null,"c":true,"d":"plain"}');
  });
});
