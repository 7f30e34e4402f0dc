import { describe, expect, test } from "vitest";
import { manualClock } from "../../kit/index.ts";
import { fakeIndexer } from "./fake-indexer.ts";
import type { Offer } from "./indexer-world.ts";
import { torznabContract } from "./torznab.contract.ts";

describe("the fake keeps the contract", () => {
  test.each(torznabContract)("$name", async ({ run }) => {
    const { indexer, world, down, trouble } = fakeIndexer();
    await run({ indexer, world, down, troubleSearch: (next) => trouble("search", next) });
  });
});

describe("the fake", () => {
  const film = { kind: "film", title: "Metropolis", year: 1927 } as const;
  const offer: Offer = { id: "m", title: "Metropolis.1927", torrent: { file: new Uint8Array([1]) } };

  test("has one trouble per call, in order, and counts the calls", async () => {
    const fake = fakeIndexer({ offers: [offer] });
    fake.trouble("search", "timeout", "refused");
    await expect(fake.indexer.search(film)).rejects.toMatchObject({ code: "TIMEOUT" });
    await expect(fake.indexer.search(film)).rejects.toMatchObject({ code: "NOT_REACHED" });
    expect((await fake.indexer.search(film)).releases).toHaveLength(1);
    expect(fake.calls).toEqual({ caps: 0, search: 3, fetchTorrent: 0 });
    expect(fake.world.truth().searches).toHaveLength(1);
  });

  test("is slow by its clock", async () => {
    const clock = manualClock();
    const fake = fakeIndexer({ offers: [offer], clock });
    fake.trouble("search", { slowMs: 1_000 });
    let found = -1;
    const searched = fake.indexer.search(film).then(({ releases }) => {
      found = releases.length;
    });
    await clock.advance(999);
    expect(found).toBe(-1);
    await clock.advance(1);
    await searched;
    expect(found).toBe(1);
  });

  test("is the same again from the same seed", async () => {
    const seeders = async (seed: number) =>
      (await fakeIndexer({ offers: [offer], seed }).indexer.search(film)).releases[0]?.seeders;
    expect(await seeders(7)).toBe(await seeders(7));
    expect(await seeders(7)).not.toBe(await seeders(8));
  });
});
