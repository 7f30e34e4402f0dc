import { expect, it } from "vitest";
import { meant, nearest, orElse } from "./nearest.ts";

it.each([
  ["encoed", "encode"],
  ["Encode", "encode"],
  ["publsh", "publish"],
  ["zzz", undefined],
  ["", undefined],
])("%j is meant as %j", (given, meant) => {
  expect(nearest(given, ["encode", "publish", "scan"])).toBe(meant);
});

it.each([
  ["LOG", undefined],
  ["LOG_LEVLE", "LOG_LEVEL"],
  ["DATABASE_USER", undefined],
  ["DATABASE_ULR", "DATABASE_URL"],
])("others' names are left alone, slips are not: %s", (given, near) => {
  expect(nearest(given, ["DATABASE_URL", "LOG_LEVEL"])).toBe(near);
});

it("names all that are near, the nearest first", () => {
  expect(meant("staet", ["stage", "pipeline", "state"])).toEqual(["state", "stage"]);
  expect(meant("ab", ["abcd", "ac"])).toEqual(["ac"]);
});

it("says what would work", () => {
  expect(orElse("scna", ["encode", "scan"])).toBe('did you mean "scan"?');
  expect(orElse("zz", ["encode", "scan"])).toBe("known here: encode, scan");
  expect(orElse("x", [])).toBe("there is none here yet");
});
