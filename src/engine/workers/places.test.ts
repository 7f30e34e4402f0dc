import { expect, it } from "vitest";
import { Places } from "./places.ts";

it("are kept for who asks for them until it is answered, so that nobody else counts on them", async () => {
  let inHand = 1;
  const places = new Places(4, () => inHand);
  let answer = () => {};
  const filling = places.fill(async (room) => {
    expect([room, places.free]).toEqual([3, 0]);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    inHand += 2;
    return 2;
  });
  expect(await places.fill(() => Promise.reject(new Error("nobody is asked")))).toBe(0);
  answer();
  expect([await filling, places.free]).toEqual([2, 1]);
});

it("are free again where the one who was asked failed, and never fewer than none", async () => {
  let inHand = 0;
  const places = new Places(2, () => inHand);
  await expect(places.fill(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(places.free).toBe(2);
  inHand = 3;
  expect(places.free).toBe(0);
});
