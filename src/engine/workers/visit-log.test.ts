import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LINES_MOST, LOG_BYTES, VisitLog } from "./visit-log.ts";

const parsed = (log: VisitLog) => log.lines.map((line) => JSON.parse(line));

describe("what a visit notes", () => {
  test("is a line with its level, its text and its facts", () => {
    const log = new VisitLog();
    log.add(3, "info", "frame", { n: 1 });
    log.add(9, "error", "broken", undefined);
    expect(parsed(log)).toEqual([
      { ms: 3, level: "info", text: "frame", facts: { n: 1 } },
      { ms: 9, level: "error", text: "broken" },
    ]);
  });

  test("hides the secrets that stand in it", () => {
    const log = new VisitLog();
    log.add(1, "info", "GET http://me:word@nas/?apikey=abc", { token: "abc", url: "http://nas/?key=abc" });
    expect(parsed(log)).toMatchObject([
      { text: "GET http://***@nas/?apikey=***", facts: { token: "***", url: "http://nas/?key=***" } },
    ]);
  });

  test("is text where its facts cannot be stored", () => {
    const log = new VisitLog();
    const circle: Record<string, unknown> = { big: 1n };
    circle.self = circle;
    log.add(0, "warn", "odd", circle);
    log.add(0, "warn", "large", { text: "x".repeat(20_000) });
    log.add(0, "warn", "nul", { text: "a\0b" });
    for (const { facts } of parsed(log)) expect(typeof facts).toBe("string");
  });

  test("never grows beyond its bounds, keeps the newest, and counts what made room", () => {
    const note = fc.record({
      text: fc.oneof(fc.string(), fc.constant("y".repeat(3_000))),
      facts: fc.option(fc.oneof(fc.anything(), fc.constant({ z: "z".repeat(7_000) })), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(note, { maxLength: 400 }), (notes) => {
        const log = new VisitLog();
        for (const [index, { text, facts }] of notes.entries()) log.add(index, "info", text, facts);
        const kept = parsed(log);
        expect(kept.length).toBeLessThanOrEqual(LINES_MOST);
        expect(Buffer.byteLength(log.lines.join(""))).toBeLessThanOrEqual(LOG_BYTES);
        expect(kept.length + log.dropped).toBe(notes.length);
        expect(kept.map((one) => one.ms)).toEqual(notes.map((_, index) => index).slice(log.dropped));
      }),
      { numRuns: 50 },
    );
  });
});
