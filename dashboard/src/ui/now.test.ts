import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeNow } from "./now.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("moves every second while somebody looks, and is right again for who looks after a while", () => {
  let time = 0;
  const clock = makeNow(() => time);
  const changed = vi.fn();
  const leave = clock.watch(changed);
  time = 1_000;
  vi.advanceTimersByTime(1_000);
  expect(clock.now()).toBe(1_000);
  expect(changed).toHaveBeenCalledOnce();
  leave();
  time = 90_000;
  vi.advanceTimersByTime(89_000);
  expect(changed).toHaveBeenCalledOnce();
  clock.watch(changed)();
  expect(clock.now()).toBe(90_000);
});
