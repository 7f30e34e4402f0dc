import { describe, expect, it } from "vitest";
import { Ring } from "./ring.ts";

describe("the last lines", () => {
  it("are put together from whatever pieces they come in", () => {
    const ring = new Ring();
    for (const piece of ["fir", "st\nsec", "ond\nthi"]) ring.add(piece);
    expect(ring.lines()).toEqual(["first", "second", "thi"]);
  });

  it("are only the last ones", () => {
    const ring = new Ring(2);
    ring.add("a\nb\nc\nd\n");
    expect(ring.lines()).toEqual(["c", "d"]);
    ring.add("e\n");
    expect(ring.lines()).toEqual(["d", "e"]);
  });
});
