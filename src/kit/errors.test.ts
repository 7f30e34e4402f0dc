import { describe, expect, test } from "vitest";
import { BugError, InputError, invariant, SluiceError } from "./errors.ts";

describe("errors", () => {
  test("an input error has its code, the field to blame and its own name", () => {
    const error = new InputError("input.title", "input.title must be text");
    expect(error).toBeInstanceOf(SluiceError);
    expect(error).toMatchObject({ name: "InputError", code: "INVALID_INPUT", field: "input.title" });
    expect(String(error)).toBe("InputError: input.title must be text");
    expect(error.stack).toContain("InputError: input.title must be text");
  });

  test("a subclass elsewhere is named without saying so", () => {
    class LeaseLost extends SluiceError {}
    expect(String(new LeaseLost("LEASE_LOST", "gone"))).toBe("LeaseLost: gone");
  });

  test("a cause is kept, and absent when there is none", () => {
    const cause = new Error("first");
    expect(new BugError("second", { cause }).cause).toBe(cause);
    expect("cause" in new BugError("alone")).toBe(false);
  });

  test("an invariant that holds says nothing, a broken one is a bug", () => {
    expect(() => invariant(true, "attempts went down")).not.toThrow();
    expect(() => invariant(false, "attempts went down")).toThrow(BugError);
    expect(() => invariant(undefined, "attempts went down")).toThrow("attempts went down");
  });
});
