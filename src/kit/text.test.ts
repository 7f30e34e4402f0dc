import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, safeText } from "./text.ts";

function explode(): never {
  throw new Error("do not look at me");
}
const hostile = new Proxy(
  {},
  { get: explode, has: explode, ownKeys: explode, getPrototypeOf: explode, getOwnPropertyDescriptor: explode },
);
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const circularError = new Error("round");
circularError.cause = circularError;
const circular: { self?: unknown } = {};
circular.self = circular;

test("what is printable is one line that does nothing to a terminal", () => {
  expect(printable("a\u001b[2Jb\r\nc\u202ed\u009b31me\u007f\u2028\u2066f\ufeffé")).toBe("a [2Jb c d 31me f é");
});

describe("safeText", () => {
  test.each<[string, unknown, string]>([
    ["text", "no space left", "no space left"],
    ["an error", new Error("no space left"), "no space left"],
    ["an error with a name", new TypeError("x is not a function"), "TypeError: x is not a function"],
    ["an error without a message", new RangeError(), "RangeError"],
    ["an error without anything", new Error(), "Error"],
    ["an error with only a code", Object.assign(new Error(), { code: "ECONNRESET" }), "ECONNRESET"],
    ["a cause", new Error("cannot save", { cause: new TypeError("bad") }), "cannot save ← TypeError: bad"],
    ["a cause that is text", new Error("cannot save", { cause: "disk" }), "cannot save ← disk"],
    [
      "a refused connection",
      Object.assign(new AggregateError([new Error("refused ::1"), new Error("refused 127.0.0.1")]), {
        code: "ECONNREFUSED",
      }),
      "AggregateError: ECONNREFUSED ← refused ::1 ← refused 127.0.0.1",
    ],
    ["an error of another realm", runInNewContext("new TypeError('far')"), "TypeError: far"],
    ["an abort", new DOMException("stopped", "AbortError"), "AbortError: stopped"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["a bigint", 5n, "5n"],
    ["a plain object", { code: 5, why: "full" }, "{ code: 5, why: 'full' }"],
    ["a circle", circular, "<ref *1> { self: [Circular *1] }"],
    ["a revoked proxy", revoked.proxy, "[unreadable object]"],
    ["a proxy whose every trap throws", hostile, "[unreadable object]"],
    [
      "an error whose message throws",
      Object.defineProperty(new Error(), "message", { get: explode }),
      "[unreadable object]",
    ],
    ["an error whose message is no text", Object.assign(new Error(), { message: 5n, name: hostile }), "Error"],
  ])("records %s", (_what, value, expected) => {
    expect(safeText(value, 1_000)).toBe(expected);
  });

  test("a circle of causes ends", () => {
    expect(safeText(circularError, 1_000)).toBe("round ← round ← round ← round ← round");
  });

  test("what a database refuses is taken out", () => {
    expect(safeText("a\0b\ud800c\udc00", 100)).toBe("ab\ufffdc\ufffd");
  });

  test.each([
    ["abcdef", 6, "abcdef"],
    ["abcdefg", 6, "abc…"],
    ["ab😀cd", 8, "ab😀cd"],
    ["ab😀cde", 8, "ab…"],
    ["ab😀cde", 9, "ab😀cde"],
    ["😀", 3, "…"],
    ["😀", 2, ""],
    ["abc", 2, "ab"],
    ["abc", 0, ""],
    ["abc", -1, ""],
    ["abc", Number.NaN, ""],
  ])("%s in at most %s bytes is %s", (text, maxBytes, expected) => {
    expect(safeText(text, maxBytes)).toBe(expected);
  });

  test("no code of the thrown value is run", () => {
    const { custom } = inspect;
    const value = {
      [custom]: () => "mine",
      toString: () => "mine",
      toJSON: () => "mine",
      get a() {
        return "mine";
      },
    };
    expect(safeText(value, 1_000)).not.toContain("mine");
  });

  test("an enormous tree of shared references takes no enormous time", () => {
    let tree: unknown = "leaf";
    for (let level = 0; level < 60; level++) tree = [tree, tree];
    expect(safeText(tree, 200).length).toBeLessThanOrEqual(200);
  });

  test("anything at all is recordable", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    const text = fc.string({ unit: fc.oneof(fc.constant("\0"), fc.constant("\ud800"), fc.string({ unit: "binary" })) });
    // Wrapped in functions, because fast-check itself looks into the values it hands out and would trip over these.
    const special = [hostile, revoked.proxy, circular, circularError, explode, Symbol.iterator];
    const some = fc.oneof(
      anything.map((value) => () => value),
      fc.nat(special.length - 1).map((i) => () => special[i]),
    );
    const thrown = fc.oneof(
      some,
      text.map((value) => () => value),
      fc.tuple(text, some).map(
        ([message, cause]) =>
          () =>
            new Error(message, { cause: cause() }),
      ),
      fc.array(some).map((errors) => () => new AggregateError(errors.map((each) => each()))),
      some.map((member) => () => ({ member: member(), toString: explode, toJSON: explode })),
      some.map((name) => () => Object.assign(new Error("x"), { name: name(), code: name() })),
    );
    fc.assert(
      fc.property(thrown, fc.nat(300), (make, maxBytes) => {
        const value: unknown = make();
        const recorded = safeText(value, maxBytes);
        expect(recorded.isWellFormed()).toBe(true);
        expect(recorded).not.toContain("\0");
        expect(Buffer.byteLength(recorded)).toBeLessThanOrEqual(maxBytes);
        expect(safeText(recorded, maxBytes)).toBe(recorded);
      }),
      { numRuns: 1_000 },
    );
  });
});
