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

  test("arrives elsewhere bit by bit as it was: the newest, and how many are missing", () => {
    const says = fc.array(
      fc.oneof(fc.constant("note" as const), fc.constant("tell" as const), fc.constant("many" as const)),
    );
    fc.assert(
      fc.property(says, (steps) => {
        const here = new VisitLog();
        const there = new VisitLog();
        let told = 0;
        let noted = 0;
        const note = () => here.add(noted++, "info", "x".repeat(300), undefined);
        for (const step of [...steps, "tell"]) {
          if (step === "note") note();
          if (step === "many") for (let n = 0; n < 150; n += 1) note();
          if (step !== "tell") continue;
          there.append(here.since(told));
          told = here.count;
        }
        expect([there.count, there.dropped]).toEqual([here.count, here.dropped]);
        expect(there.lines).toEqual(here.lines);
      }),
      { numRuns: 100 },
    );
  });

  test("of a second child comes behind what the first one said", () => {
    const parent = new VisitLog();
    for (const text of ["one", "two"]) {
      const child = new VisitLog();
      child.add(0, "info", text, undefined);
      parent.append(child.since(0));
    }
    expect(parsed(parent).map(({ text }) => text)).toEqual(["one", "two"]);
  });
});
