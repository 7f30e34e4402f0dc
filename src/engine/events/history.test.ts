import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type SmallWorld, smallWorld } from "../../../test/support/small-world.ts";
import { formatId } from "../../kit/index.ts";
import { reclaim } from "../items/lease.sql.ts";
import { transient } from "../pipeline/fault.ts";
import { done } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import type { Held } from "../workers/held.ts";
import { history } from "./history.ts";

const film = definePipeline("film", { version: 1, input: z.unknown() })
  .stage("search", { run: () => done(), attempts: 2 })
  .stage("encode", { run: () => done() });

let db: PgliteDatabase;
let world: SmallWorld;
let item: string;

beforeAll(async () => {
  db = await openPglite();
  world = await smallWorld(db, [film]);
  await world.worker("1");
  await world.worker("2");
  item = (await world.submit(film)).items[0] as string;
  const lost = await claimed("1");
  await reclaim(db, "1");
  await world.settle(lost, "1", { outcome: done() }); // too late, and refused
  await world.settle(await claimed("2"), "2", { fault: transient("RESET", "connection reset") });
  await db.query({ name: "due", text: "update sluice.run set ready_at = sluice.now()" }, []);
  await world.settle(await claimed("2"), "2", { outcome: done({ found: 3 }) });
});
afterAll(() => db.close());

async function claimed(epoch: string): Promise<Held> {
  const [held] = await world.claim(epoch);
  if (held === undefined) throw new Error("nothing to claim");
  return held;
}

describe("the history of an item", () => {
  it("has an entry for everything that happened to it, with who and when", async () => {
    const { entries, next } = await history(db, item);
    expect(next).toBeNull();
    expect(entries.map((entry) => entry.type)).toEqual([
      "item.accepted",
      "item.refused",
      "item.reclaimed",
      "item.fault",
      "item.done",
    ]);
    expect(entries[3]).toMatchObject({
      outcome: "fault",
      from: "search",
      to: "search",
      attempt: 1,
      series: 1,
      reason: "backoff",
      code: "RESET",
      message: "connection reset",
      worker: { name: "worker-2", host: "here", pid: 2 },
      tookMs: 5,
    });
    expect(entries[4]).toMatchObject({ from: "search", to: "encode", attempt: 2, output: { found: 3 }, end: null });
  });

  it("leaves out what stages handed on, for whoever does not want it", async () => {
    const { entries } = await history(db, item, { outputs: false });
    expect(entries[4]).toMatchObject({ type: "item.done", output: null });
  });

  it("says when a visit began and ended, and that nothing was visited where nothing was", async () => {
    const { entries } = await history(db, item);
    const fault = entries[3];
    expect((fault?.ended.getTime() ?? 0) - (fault?.began?.getTime() ?? 0)).toBe(5);
    expect(entries[0]).toMatchObject({ began: null, tookMs: null, worker: null });
  });

  it.each([1, 2, 4, 5])("is the same in pages of %i", async (limit) => {
    const whole = (await history(db, item)).entries;
    const found = [];
    let after: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await history(db, item, { after, limit });
      found.push(...page.entries);
      if (page.next === null) break;
      after = page.next;
    }
    expect(found).toEqual(whole);
  });

  it.each([1, 2, 200])("begins with the newest and goes back, in pages of %i", async (limit) => {
    const whole = (await history(db, item)).entries;
    const found = [];
    let after: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await history(db, item, { after, limit, order: "newest" });
      found.push(...page.entries);
      if (page.next === null) break;
      after = page.next;
    }
    expect(found).toEqual(whole.toReversed());
  });

  it("is empty for an item that never was", async () => {
    expect(await history(db, formatId("item", "999"))).toEqual({ entries: [], next: null, isThinned: false });
  });

  it.each([
    ["itm_nonsense", {}, "item"],
    [formatId("item", "1"), { limit: 0 }, "limit"],
    [formatId("item", "1"), { after: "x" }, "after"],
    [formatId("item", "1"), { order: "random" as never }, "order"],
  ])("refuses %s with %j", async (id, options, field) => {
    await expect(history(db, id, options)).rejects.toMatchObject({ code: "INVALID_INPUT", field });
  });
});
