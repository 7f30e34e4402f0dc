import { describe, expect, it } from "vitest";
import { Window } from "./window.ts";

/** Pieces of ten bytes, answered when the test says so. */
function pieces(window: Window) {
  const answers = new Map<number, (error?: Error) => void>();
  const sure: number[] = [];
  return {
    sure,
    begin: (at: number) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      answers.set(at, (error) => (error === undefined ? resolve() : reject(error)));
      window.begin(
        at,
        10,
        () => promise,
        (bytes) => void sure.push(bytes),
      );
    },
    answer: async (at: number, error?: Error) => {
      answers.get(at)?.(error);
      await new Promise(setImmediate);
    },
  };
}

const isWaiting = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => false), new Promise((resolve) => setImmediate(resolve, true))]);

describe("a window", () => {
  it("is sure of what everything before is answered of, in whatever order answers come", async () => {
    const window = new Window(100, 30);
    const { begin, answer, sure } = pieces(window);
    for (const at of [100, 110, 120]) begin(at);
    await answer(120);
    await answer(100);
    await answer(110);
    expect(sure).toEqual([100, 110, 130]);
    expect(window.sure).toBe(130);
  });

  it("has nothing begun further ahead of that than its length, however much behind the gap is answered", async () => {
    const window = new Window(0, 30);
    const { begin, answer } = pieces(window);
    for (const at of [0, 10, 20]) begin(at);
    await answer(10);
    await answer(20);
    const room = window.room(40);
    expect(await isWaiting(room)).toBe(true);
    await answer(0);
    expect(await isWaiting(room)).toBe(false);
  });

  it("tells of what went wrong before anything else is begun, and at its end", async () => {
    const window = new Window(0, 30);
    const { begin, answer } = pieces(window);
    begin(0);
    await answer(0, new Error("no"));
    await expect(window.room(20)).rejects.toThrow("no");
    await expect(window.end()).rejects.toThrow("no");
  });
});
