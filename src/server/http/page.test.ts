import { describe, expect, test } from "vitest";
import { afterId, pageOf } from "./page.ts";

const page = (rows: readonly number[]) =>
  pageOf(
    rows,
    2,
    (row) => row * 10,
    (row) => String(row),
  );

describe("a page", () => {
  test.each<[string, number[], number[], string | null]>([
    ["of nothing", [], [], null],
    ["that is not full", [9], [90], null],
    ["that is full, with nothing behind it", [9, 8], [90, 80], null],
    ["with more behind it", [9, 8, 7], [90, 80], "8"],
  ])("%s", (_, rows, entries, next) => expect(page(rows)).toEqual({ entries, next }));

  test("goes on from a number, and from nothing else", () => {
    expect([afterId(undefined), afterId("12")]).toEqual([null, "12"]);
    for (const after of ["", "x", "-1", "1e3", "9".repeat(19)]) expect(() => afterId(after)).toThrow("after is the");
  });
});
