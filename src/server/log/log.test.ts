import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LINE_BYTES, lineFacts } from "./facts.ts";
import { type PinoLoggerOptions, pinoLogger } from "./pino-logger.ts";
import { prettyLine } from "./pretty-line.ts";

function logged(event: string, facts: Record<string, unknown>, options: PinoLoggerOptions = {}): string {
  let text = "";
  pinoLogger({
    ...options,
    to: (line) => {
      text += line;
    },
  }).info(event, facts);
  return text;
}

describe("a line", () => {
  it("has time, level, event and msg in front of its facts", () => {
    const line = JSON.parse(logged("worker.presumed-dead", { epoch: "7" }));
    expect(line).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      event: "worker.presumed-dead",
      epoch: "7",
      msg: "worker presumed dead",
    });
  });

  it("is left out below its level", () => {
    expect(logged("x", {}, { level: "warn" })).toBe("");
  });

  it("has each name once, whatever the facts are called", () => {
    const text = logged("x", { time: 1, level: "high", event: "y", msg: "said" });
    expect(text.match(/"(time|level|event|msg)":/g)?.toSorted()).toEqual(['"event":', '"level":', '"msg":', '"time":']);
    expect(JSON.parse(text)).toMatchObject({ event: "x", msg: "said", factTime: 1, factLevel: "high", factEvent: "y" });
  });

  it("hides what names and places give away, at any depth and in any error", () => {
    const cause = new Error("GET http://me:canary-1@nas/ failed");
    const facts = {
      password: "canary-2",
      headers: { Authorization: "Bearer canary-3", "set-cookie": ["canary-4"], accept: "*/*" },
      error: new Error("token=canary-5", { cause }),
      list: [{ apiKey: { deep: "canary-6" } }],
      idempotencyKey: "canary-7",
      tokens: 5,
    };
    const text = logged("x", facts);
    expect(text).not.toContain("canary");
    expect(JSON.parse(text)).toMatchObject({ headers: { accept: "*/*" }, tokens: 5 });
  });

  it("has nothing in it that moves a cursor or turns the writing around", () => {
    const text = logged("x\u001b[2J", { name: "a\nb\u001b[31m\u009b1m\u202eevil\u2028", "k\u0085": 1 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
    expect(JSON.parse(text).name).toContain("\\u202e");
  });

  it("is never longer than 8 KB, and one line, whatever is put in", () => {
    const anything = fc.dictionary(
      fc.string(),
      fc.oneof(fc.anything(), fc.string({ minLength: 5_000, maxLength: 9_000 })),
    );
    fc.assert(
      fc.property(fc.string(), anything, (event, facts) => {
        const text = logged(event, facts);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LINE_BYTES);
        expect(text.indexOf("\n")).toBe(text.length - 1);
        expect(JSON.parse(text)).toBeTypeOf("object");
      }),
      { numRuns: 300 },
    );
  });

  it("that would be too long keeps the names of what is not in it", () => {
    const facts = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`fact${n}`, Array.from({ length: 50 }, () => "ä".repeat(500))]),
    );
    expect(lineFacts(facts)).toEqual({ cut: Object.keys(facts) });
  });

  it("survives facts that bite", () => {
    const bad = {
      get trap() {
        throw new Error("no");
      },
    };
    expect(() => logged("x", { bad: new Proxy({}, { ownKeys: () => ["a"] }), big: 10n, no: Number.NaN })).not.toThrow();
    expect(() => logged("x", { bad })).not.toThrow();
  });
});

it("on a terminal it is short, and still one line", () => {
  const json = logged("item.done", { itemId: "itm_1", msg: "search\tdone", note: "a\nb" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  const plain = prettyLine(json).replaceAll(/\u001b\[\d+m/g, "");
  expect(plain).toMatch(/^\d\d:\d\d:\d\d info {2}search done {2}itemId=itm_1 note=a b\n$/);
});

it("on a terminal nobody else's colours are shown, nor a line turned round", () => {
  const json = JSON.stringify({ time: "2026-01-01T12:00:00Z", level: "info", msg: "a\u009b31mb", note: "\u202eevil" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  expect(prettyLine(json).replaceAll(/\u001b\[\d+m/g, "")).toBe("12:00:00 info  a 31mb  note= evil\n");
});
