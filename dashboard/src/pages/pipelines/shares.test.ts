import { describe, expect, it } from "vitest";
import { sharesOf, startOf } from "./shares.ts";

describe("shares of new requests", () => {
  it("begin as they are", () => {
    const versions = [
      { version: 1, share: 90 },
      { version: 2, share: 10 },
      { version: 3, share: null },
    ];
    expect(startOf(versions)).toEqual({ 1: "90", 2: "10", 3: "0" });
  });

  it("begin with everything for the newest where there is no rollout", () => {
    const versions = [
      { version: 2, share: null },
      { version: 1, share: null },
    ];
    expect(startOf(versions)).toEqual({ 1: "0", 2: "100" });
  });

  it("are nothing where nothing is typed", () => expect(sharesOf({ 1: "", 2: "99.5" })).toEqual({ 1: 0, 2: 99.5 }));
});
