import { describe, expect, it } from "vitest";
import { checkKeep } from "./keep.ts";

const DAY = 86_400_000;

describe("how long what has ended is kept", () => {
  it.each([
    [undefined, { done: 90 * DAY, failed: 365 * DAY, cancelled: 30 * DAY }],
    [{}, { done: 90 * DAY, failed: 365 * DAY, cancelled: 30 * DAY }],
    [{ done: "30d" }, { done: 30 * DAY, failed: 365 * DAY, cancelled: 30 * DAY }],
    [
      { done: false as const, failed: 0 },
      { done: null, failed: 0, cancelled: 30 * DAY },
    ],
    [{ cancelled: false as const }, { done: 90 * DAY, failed: 365 * DAY, cancelled: null }],
  ])("%j is %j", (given, kept) => {
    expect(checkKeep("film", given)).toEqual(kept);
  });

  it.each([
    [{ done: "soon" }, "film.keep.done"],
    [{ failed: -1 }, "film.keep.failed"],
    [{ cancelled: true }, "film.keep.cancelled"],
    [{ fail: "1d" }, "film.keep"],
    ["30d", "film.keep"],
    [null, "film.keep"],
  ])("%j is refused, and the field named", (given, field) => {
    expect(() => checkKeep("film", given as never)).toThrow(expect.objectContaining({ code: "INVALID_INPUT", field }));
  });
});
