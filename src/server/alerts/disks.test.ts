import { describe, expect, test } from "vitest";
import { manualClock, silentLogger, systemClock } from "../../kit/index.ts";
import { Disks, spaceAt } from "./disks.ts";

const places = [
  { use: "temporary files", path: "/tmp" },
  { use: "the database", path: "/data" },
  { use: "uploads", path: "/big" },
];

describe("disks", () => {
  test("that are one are told as one", async () => {
    const space = async (path: string) => ({ device: path === "/big" ? "2" : "1", free: 1, size: 2 });
    const disks = new Disks(places, { clock: systemClock, log: silentLogger, spaceAt: space });
    expect(await disks.read()).toEqual([
      { uses: ["temporary files", "the database"], path: "/tmp", free: 1, size: 2 },
      { uses: ["uploads"], path: "/big", free: 1, size: 2 },
    ]);
  });

  test("that do not answer, or are not there, are left out, and not asked again while they hang", async () => {
    const clock = manualClock();
    const hung = Promise.withResolvers<never>();
    const asked: string[] = [];
    const space = async (path: string) => {
      asked.push(path);
      if (path === "/data") return await hung.promise;
      if (path === "/tmp") throw new Error("ENOENT");
      return { device: path, free: 1, size: 2 };
    };
    const disks = new Disks(places, { clock, log: silentLogger, spaceAt: space });
    const reading = disks.read();
    await clock.advance(2_000);
    expect((await reading).map(({ path }) => path)).toEqual(["/big"]);
    expect((await disks.read()).map(({ path }) => path)).toEqual(["/big"]);
    expect(asked).toEqual(["/tmp", "/data", "/big", "/tmp", "/big"]);
  });

  test("are those of this machine", async () => {
    const { free, size } = await spaceAt("/");
    expect(size).toBeGreaterThan(0);
    expect(free).toBeLessThanOrEqual(size);
  });
});
