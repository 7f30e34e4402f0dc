import { describe, expect, it } from "vitest";
import { targetsFor } from "./targets.ts";

const servers = [
  { name: "attic", encoding: null, is_default: false },
  { name: "nas", encoding: "hevc", is_default: true },
  { name: "shed", encoding: null, is_default: true },
];

describe("what is asked for goes", () => {
  it("to the servers that are named, in the encoding that is named or set", () => {
    const asked = [{ name: "nas" }, { name: "attic", encoding: "av1" }, { name: "shed", encoding: null }];
    expect(targetsFor(asked, servers)).toEqual([
      { name: "nas", encoding: "hevc" },
      { name: "attic", encoding: "av1" },
      { name: "shed", encoding: null },
    ]);
    expect(targetsFor([{ name: "nas", encoding: null }], servers)).toEqual([{ name: "nas", encoding: null }]);
  });

  it("to those that are set for it where none is named, and nowhere where there are none", () => {
    expect(targetsFor([], servers)).toEqual([
      { name: "nas", encoding: "hevc" },
      { name: "shed", encoding: null },
    ]);
    expect(targetsFor([], [])).toEqual([]);
  });

  it("to none that is not set, and to none twice", () => {
    expect(() => targetsFor([{ name: "attic" }, { name: "nsa" }], servers)).toThrow(
      expect.objectContaining({ field: "targets.1.name", message: expect.stringMatching(/no server "nsa".*nas/) }),
    );
    expect(() => targetsFor([{ name: "nas" }], [])).toThrow('no server "nas"');
    expect(() => targetsFor([{ name: "nas" }, { name: "nas" }], servers)).toThrow("twice");
  });
});
