import { expect, it } from "vitest";
import { filled, WriteBrake } from "./write-brake.ts";

const size = { most: 3, perSecond: 2 };

it("lets so many through at once, then as many as it refills, and each account by itself", () => {
  let now = 0;
  const brake = new WriteBrake(() => now, size);
  for (let n = 0; n < 3; n += 1) brake.take("ann");
  expect(() => brake.take("ann")).toThrow(/try again in 1 s/);
  brake.take("bob");
  now += 500;
  brake.take("ann");
  expect(() => brake.take("ann")).toThrow(expect.objectContaining({ code: "RATE_LIMITED", retryAfterMs: 500 }));
});

it("never holds more than it can, whatever a clock does", () => {
  expect(filled({ left: 1, at: 0 }, 60_000, size)).toBe(3);
  expect(filled({ left: 1, at: 60_000 }, 0, size)).toBe(1);
});
