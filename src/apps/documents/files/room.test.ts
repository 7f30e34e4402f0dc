import { expect, it } from "vitest";
import { Room } from "./room.ts";

const places = { uploads: "/uploads", results: "/results" };
const full = { code: "IO_ERROR", message: expect.stringMatching(/^The server's disk is nearly full/) };

it("keeps room for what is being received, and leaves what has to stay free", async () => {
  const free = new Map([
    ["/uploads", 1_000],
    ["/results", 9_000],
  ]);
  const room = new Room({ places, leastBytes: 100, freeIn: async (folder) => free.get(folder) ?? 0 });
  const underway = Promise.withResolvers<string>();
  const first = room.keep(600, () => underway.promise);
  await expect(room.keep(301, async () => "no")).rejects.toMatchObject(full);
  expect(await room.keep(300, async () => "fits")).toBe("fits");
  expect(await room.refusal()).toBeNull();
  free.set("/results", 650);
  expect(await room.refusal()).toMatch(/nearly full/);
  free.set("/results", 9_000);
  underway.resolve("over");
  expect(await first).toBe("over");
  expect(await room.keep(900, async () => "again")).toBe("again");
});

it("of many that come at once lets in as many as fit, and gives back what was kept, whatever came of it", async () => {
  const room = new Room({ places, leastBytes: 0, freeIn: async () => 1_000 });
  const underway = Promise.withResolvers<string>();
  const all = Array.from({ length: 10 }, () => room.keep(300, () => underway.promise));
  for (const one of all.slice(3)) await expect(one).rejects.toMatchObject(full);
  underway.resolve("over");
  expect(await Promise.all(all.slice(0, 3))).toEqual(["over", "over", "over"]);
  await expect(room.keep(1_000, () => Promise.reject(new Error("cut off")))).rejects.toThrow("cut off");
  expect(await room.keep(1_000, async () => "all of it")).toBe("all of it");
});
