import { describe, expect, it } from "vitest";
import type { Kept } from "./envelope.ts";
import { laterOf, Ring } from "./ring.ts";

const at = (xid: number, epoch = 1) => `${epoch}-${xid.toString(36)}-1`;
const event = (xid: number): Kept => ({
  cursor: at(xid),
  topics: [],
  item: null,
  owner: null,
  json: "",
  common: undefined,
});
const ringOf = (start: number, end: number, most: number) => {
  const ring = new Ring(at(start), most);
  for (let xid = start + 1; xid <= end; xid += 1) ring.add(event(xid));
  return ring;
};
const placesAfter = (ring: Ring, cursor: string) => {
  const found = ring.after(cursor);
  return typeof found === "string" ? found : found.map((one) => one.cursor);
};

describe("the newest events in memory", () => {
  it("give what came after a place, whether an event stands there or not", () => {
    const ring = ringOf(100, 103, 10);
    expect(placesAfter(ring, at(100))).toEqual([at(101), at(102), at(103)]);
    expect(placesAfter(ring, at(102))).toEqual([at(103)]);
    expect(placesAfter(ring, "1-2u-0")).toEqual([at(102), at(103)]); // before 102's, after 101's
    expect(placesAfter(ring, at(103))).toEqual([]);
    expect(ring.head).toBe(at(103));
  });

  it("know what they do not have", () => {
    const ring = ringOf(100, 103, 10);
    expect(placesAfter(ring, at(99))).toBe("older");
    expect(placesAfter(ring, at(104))).toBe("beyond");
    expect(placesAfter(ring, at(102, 2))).toBe("older");
  });

  it("are bounded, and never have a gap after their start", () => {
    for (let end = 1; end < 60; end += 1) {
      const ring = ringOf(0, end, 5);
      const places = Array.from({ length: end + 1 }, (_, xid) => placesAfter(ring, at(xid)));
      const complete = places.filter((one) => one !== "older");
      expect(complete.length).toBeLessThanOrEqual(10);
      expect(complete.length).toBeGreaterThan(Math.min(end, 5));
      for (const [left, found] of complete.toReversed().entries()) expect(found).toHaveLength(left);
    }
  });

  it("begin where they were opened, empty", () => {
    const ring = new Ring(at(7), 5);
    expect([ring.head, placesAfter(ring, at(7)), placesAfter(ring, at(6))]).toEqual([at(7), [], "older"]);
  });
});

it("the later of two places", () => {
  expect([laterOf(at(1), at(2)), laterOf(at(2), at(1)), laterOf(at(1), at(2, 2))]).toEqual([at(2), at(2), at(1)]);
});
