import { expect, it } from "vitest";
import { aheadAfter, type Heard } from "./server-clock.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 16, 12, 0, 0);

/** An answer given at noon and a part of a second, to a browser whose clock is off by so much. */
function answer({
  off,
  part = 0,
  there = 20,
  back = 20,
}: {
  off: number;
  part?: number;
  there?: number;
  back?: number;
}): Heard {
  const given = NOON + part + off;
  return { date: new Date(NOON + part).toUTCString(), asked: given - there, heard: given + back };
}

it("is left alone while it may be right", () => {
  expect(aheadAfter(0, answer({ off: 0, part: 700 }))).toBe(0);
  expect(aheadAfter(0, answer({ off: -900, back: 1_000 }))).toBe(0);
});

it.each([HOUR, -HOUR])("comes within a second of the server's where the browser's is off by %i ms", (off) => {
  const ahead = aheadAfter(0, answer({ off, part: 400 }));
  expect(Math.abs(ahead + off)).toBeLessThan(SECOND);
});

it.each([HOUR, -HOUR])("comes nearer by quick answers, and is not led away by slow ones (%i ms)", (off) => {
  const quick = [0, 250, 500, 750, 990].map((part) => answer({ off, part }));
  const near = [answer({ off, there: 3_000, back: 9_000 }), ...quick].reduce(aheadAfter, 0);
  expect(Math.abs(near + off)).toBeLessThan(50);
  expect(aheadAfter(near, answer({ off, there: 9_000, back: 3_000 }))).toBe(near);
});

it("follows a browser whose clock is set while the page is open", () => {
  const ahead = aheadAfter(aheadAfter(0, answer({ off: -HOUR })), answer({ off: 0 }));
  expect(Math.abs(ahead)).toBeLessThan(SECOND + 50);
});

it.each([null, "soon"])("learns nothing from a date that is %s", (date) => {
  expect(aheadAfter(7, { date, asked: NOON, heard: NOON })).toBe(7);
});
