import { expect, it } from "vitest";
import { Once } from "./once.ts";

function shelf() {
  const kept = new Map<string, string>();
  const asks: PromiseWithResolvers<string>[] = [];
  const fetching = {
    read: async () => kept.get("it"),
    ask: () => {
      const ask = Promise.withResolvers<string>();
      asks.push(ask);
      return ask.promise;
    },
    keep: async (value: string) => void kept.set("it", value),
  };
  return { asks, fetching, once: new Once() };
}

it("many at once ask once, and whoever comes later reads what was kept", async () => {
  const { once, fetching, asks } = shelf();
  const all = Promise.all([1, 2, 3].map(() => once.get("it", fetching)));
  await expect.poll(() => asks.length).toBe(1);
  asks[0]?.resolve("found");
  expect(await all).toEqual(["found", "found", "found"]);
  expect(await once.get("it", fetching)).toBe("found");
  expect(asks).toHaveLength(1);
});

it("a fault is whoever's asked: the others ask by themselves, and nothing is kept of it", async () => {
  const { once, fetching, asks } = shelf();
  const first = once.get("it", fetching);
  const second = once.get("it", fetching);
  await expect.poll(() => asks.length).toBe(1);
  asks[0]?.reject(new Error("stopped"));
  await expect(first).rejects.toThrow("stopped");
  await expect.poll(() => asks.length).toBe(2);
  asks[1]?.resolve("found");
  expect(await second).toBe("found");
  expect(await once.get("it", fetching)).toBe("found");
  expect(asks).toHaveLength(2);
});
