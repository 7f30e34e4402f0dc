import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type SmallWorld, smallWorld } from "../../../test/support/small-world.ts";
import type { Queryable } from "../db/database.ts";
import { saveProgress } from "../items/lease.sql.ts";
import { done } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { compare, LiveItems } from "./live.ts";

const film = definePipeline("film", { version: 1, input: z.unknown() })
  .stage("search", { run: () => done() })
  .stage("encode", { weight: 3, run: () => done() });

let db: PgliteDatabase;
let world: SmallWorld;

beforeAll(async () => {
  db = await openPglite();
  world = await smallWorld(db, [film]);
  await world.worker("1");
});
afterAll(() => db.close());

describe("what is being worked on", () => {
  it("is told when it begins, when it gets on, and not when nothing moved", async () => {
    const live = new LiveItems(db, world.stagesOf);
    const { items, request } = await world.submit(film, 1, { owner: "ann" });
    expect(await live.changes()).toEqual([]);
    const [held] = await world.claim("1");
    if (held === undefined) throw new Error("nothing was claimed");
    expect(await live.changes()).toEqual([
      expect.objectContaining({
        item: items[0],
        request,
        owner: "ann",
        pipeline: "film",
        version: 1,
        stage: "search",
        hasBegun: true,
        progress: 0,
        stageProgress: null,
      }),
    ]);
    expect(await live.changes()).toEqual([]);
    await saveProgress(db, [{ id: held.row.id, version: held.version, progress: 50 }], "1");
    expect(await live.changes()).toMatchObject([{ hasBegun: false, progress: 12.5, stageProgress: 50 }]);
    expect(await live.changes()).toEqual([]);
    await world.settle(held, "1", { outcome: done() });
    expect(await live.changes()).toEqual([]);
  });

  it("is told by the next look where one could not be read to its end", async () => {
    let isAway = false;
    const shaky: Queryable = {
      query: async (statement, values) => {
        if (isAway && statement.name === "live-details") throw new Error("the database is away");
        return await db.query(statement, values);
      },
    };
    const live = new LiveItems(shaky, world.stagesOf);
    await live.changes();
    const { items } = await world.submit(film, 1);
    await world.claim("1");
    isAway = true;
    await expect(live.changes()).rejects.toThrow("away");
    isAway = false;
    expect((await live.changes()).map(({ item }) => item)).toContain(items[0]);
  });

  it("is how it stands where the first look finds it", async () => {
    await world.claim("1");
    expect(await new LiveItems(db, world.stagesOf).changes()).toEqual([]);
  });
});

describe("comparing two looks", () => {
  const held = (progress: readonly number[]) => ({
    ids: progress.map((_, index) => String(index)),
    versions: progress.map(() => 1),
    begun: progress.map(() => true),
    progress,
  });

  it("tells the rest with the next look, where too much moved", () => {
    const first = compare(undefined, held([0, 0, 0]), 2);
    const second = compare(first, held([1, 1, 1]), 2);
    expect([...second.moved.keys()]).toEqual(["0", "1"]);
    const third = compare(second, held([1, 1, 1]), 2);
    expect([...third.moved]).toEqual([["2", false]]);
  });

  it("tells everything in turn, where too much moves every time", () => {
    const all = (value: number) => held([value, value, value, value, value]);
    let look = compare(undefined, all(0), 2);
    const told: string[] = [];
    for (let value = 1; value <= 5; value += 1) {
      look = compare(look, all(value), 2);
      told.push([...look.moved.keys()].join(""));
    }
    expect(told).toEqual(["01", "23", "40", "12", "30"]);
  });

  it("forgets what is over", () => {
    const first = compare(undefined, held([5]), 9);
    const second = compare(first, held([]), 9);
    expect(second.seen.size).toBe(0);
    expect([...compare(second, held([5]), 9).moved]).toEqual([["0", true]]);
  });
});
