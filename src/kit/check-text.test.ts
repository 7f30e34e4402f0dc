import { describe, expect, it } from "vitest";
import { checkText } from "./check-text.ts";

describe("text that is given", () => {
  it("is handed on as it is", () => {
    expect(checkText("Ünïcode 🎞", "owner", 20)).toBe("Ünïcode 🎞");
  });

  it.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /^owner must be text that is not empty$/],
    ["null", null, /^owner must be text/],
    ["a number", 7, /^owner must be text/],
    ["an empty one", "", /^owner must be text/],
    ["a NUL", "a\0", /^owner /],
    ["half a surrogate", "\ud800", /^owner /],
    ["more than fits", "x".repeat(20), /^owner is 22 bytes, at most 20/],
  ])("is refused by its name: %s", (_, value, message) => {
    expect(() => checkText(value, "owner", 20)).toThrow(expect.objectContaining({ field: "owner" }));
    expect(() => checkText(value, "owner", 20)).toThrow(message);
  });
});
