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

it("that were promised are left aside, also by a claim that asks for all the rest", async () => {
  let inHand = 0;
  const places = new Places(9, () => inHand);
  expect([places.promise(16), places.free]).toEqual([4, 5]);
  await places.fill(async (room) => {
    expect([room, places.free, places.freeForPromised]).toEqual([5, 0, 4]);
    places.fulfil(1);
    inHand += 1;
    // What is left of it still stands, although a half would be less.
    expect(places.promise(16)).toBe(3);
    return 0;
  });
  expect([places.free, places.promise(16), places.promise(2), places.promise(0)]).toEqual([5, 4, 2, 0]);
});

it("are promised to nobody where one of them is all there is, or while more is ready than there is room for", async () => {
  let inHand = 8;
  const places = new Places(9, () => inHand);
  expect([places.promise(16), places.free]).toEqual([0, 1]);
  inHand = 0;
  expect(places.promise(16)).toBe(4);
  await places.fill(async (room) => room);
  expect([places.promise(16), places.free]).toEqual([0, 9]);
  await places.fill(async () => 0);
  expect(places.promise(16)).toBe(4);
});

it("are free again where the one who was asked failed, and never fewer than none", async () => {
  let inHand = 0;
  const places = new Places(2, () => inHand);
  await expect(places.fill(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(places.free).toBe(2);
  inHand = 3;
  expect(places.free).toBe(0);
});
