import { expect, it } from "vitest";
import { nearest, orElse } from "./nearest.ts";

it.each([
  ["encoed", "encode"],
  ["Encode", "encode"],
  ["publsh", "publish"],
  ["zzz", undefined],
  ["", undefined],
])("%j is meant as %j", (given, meant) => {
  expect(nearest(given, ["encode", "publish", "scan"])).toBe(meant);
});

it("says what would work", () => {
  expect(orElse("scna", ["encode", "scan"])).toBe('did you mean "scan"?');
  expect(orElse("zz", ["encode", "scan"])).toBe("known here: encode, scan");
  expect(orElse("x", [])).toBe("there is none here yet");
});
