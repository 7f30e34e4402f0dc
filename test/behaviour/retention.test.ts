// What is kept, for how long, and what is still there afterwards.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { permanent } from "../../src/engine/pipeline/fault.ts";
import { done, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { storeLimits } from "../../src/engine/retention/policy.sql.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import type { ItemId, RequestId } from "../../src/kit/index.ts";

const DAY = 86_400_000;
const input = z.object({ n: z.number() });

/** Done with 1, failed with 2, alive with 3. */
const paper = definePipeline("paper", { version: 1, input, keep: { done: "10d", failed: "40d", cancelled: false } })
  .stage("read", { run: ({ input }) => done({ pages: input.n * 10 }) })
  .stage("print", {
    run: ({ input, because }) => {
      if (input.n === 2) throw permanent("TORN", "the page is torn");
      return input.n === 3 && because.signal === undefined ? wait("ink", { signal: "ink" }) : done({ sheets: input.n });
    },
  });

let t: TestSluice;
afterEach(() => t.close());

async function submitted(n: number): Promise<{ request: RequestId; item: ItemId }> {
  const { request, items } = await t.submit(paper, [{ n }]);
  await t.drain();
  return { request, item: items[0] as ItemId };
}

/** Day by day, as time goes. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) await t.advance("1d");
}

const count = async (from: string): Promise<number> => {
  const [row] = await t.db.query<{ n: number }>({ name: "count", text: `select count(*)::int as n from ${from}` }, []);
  return row?.n ?? 0;
};

describe("a request", () => {
  it("goes when the time of how it ended is over, with everything that was its own", async () => {
    t = await testSluice({ pipelines: [paper] });
    const one = await submitted(1);
    const two = await submitted(2);
    await pass(9);
    expect((await t.sluice.request(one.request)).status).toBe("COMPLETED");
    await pass(2);
    await expect(t.sluice.request(one.request)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(t.sluice.item(one.item)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await t.sluice.item(two.item)).code).toBe("TORN");
    await t.db.query(
      { name: "age", text: "update sluice.item set finished_at = finished_at - interval '31 days'" },
      [],
    );
    await pass(1);
    expect(await count("sluice.item")).toBe(0);
    expect(await count("sluice.request")).toBe(0);
    expect(await count("sluice.journal where kept")).toBe(0);
  });

  it("stays while it lives, and where it is kept for ever", async () => {
    t = await testSluice({ pipelines: [paper] });
    const live = await submitted(3);
    const cancelled = await submitted(3);
    await t.cancel(cancelled.item, "ann");
    await t.db.query(
      { name: "age", text: "update sluice.item set finished_at = finished_at - interval '400 days'" },
      [],
    );
    await pass(3);
    expect((await t.sluice.item(live.item)).state).toBe("waiting");
    expect((await t.sluice.item(cancelled.item)).state).toBe("cancelled");
  });

  it("is told in a preview before it goes", async () => {
    t = await testSluice({ pipelines: [paper] });
    await submitted(1);
    await submitted(1);
    await submitted(2);
    expect(await t.sluice.retention.preview()).toEqual({ requests: 0, isMore: false, items: [], weeks: [] });
    await t.db.query(
      { name: "age", text: "update sluice.item set finished_at = finished_at - interval '11 days'" },
      [],
    );
    expect(await t.sluice.retention.preview()).toMatchObject({
      requests: 2,
      items: [{ pipeline: "paper", version: 1, state: "done", items: 2 }],
    });
  });

  it("waits for its item's time where it belongs to one, and its item for it", async () => {
    const many = definePipeline("many", { version: 1, input, keep: { done: "20d" } }).stage("all", {
      parts: () => [{ name: "a" }, { name: "b" }],
      run: () => done(),
    });
    t = await testSluice({ pipelines: [many] });
    const { items } = await t.submit(many, [{ n: 1 }]);
    await t.drain();
    await pass(19);
    expect((await t.sluice.item(items[0] as ItemId)).parts).toHaveLength(2);
    await pass(3);
    expect(await count("sluice.item")).toBe(0);
    expect(await count("sluice.request")).toBe(0);
  });

  it("is not removed by a clock that jumped ahead, unless it stays there", async () => {
    t = await testSluice({ pipelines: [paper] });
    await submitted(1);
    await pass(1);
    await t.advance("400d");
    await t.advance("1h");
    expect(await count("sluice.item")).toBe(1);
    expect((await t.sluice.retention.status()).heldUntil).not.toBeNull();
    await pass(2);
    expect(await count("sluice.item")).toBe(0);
  });
});

describe("history", () => {
  let isTorn = true;

  async function agedByWeeks(): Promise<{ done: ItemId; failed: ItemId; live: ItemId; cursor: string }> {
    isTorn = true;
    t = await testSluice({ pipelines: [forever] });
    await storeLimits(t.db, { history: 7 * DAY });
    const of = async (n: number) => (await t.submit(forever, [{ n }])).items[0] as ItemId;
    const [first, failed, live] = [await of(1), await of(2), await of(3)];
    await t.drain();
    const cursor = await t.sluice.feedEnd();
    await of(1);
    await pass(21);
    return { done: first, failed, live, cursor };
  }

  const forever = definePipeline("forever", { version: 1, input, keep: { done: false, failed: false } })
    .stage("read", { run: ({ input }) => done({ pages: input.n * 10 }) })
    .stage("print", {
      run: ({ input, out, because }) => {
        if (input.n === 2 && isTorn) throw permanent("TORN", "the page is torn");
        if (input.n === 3 && because.signal === undefined) return wait("ink", { signal: "ink" });
        return done({ sheets: out.read.pages });
      },
    });

  it("goes by the week, and what is still wanted of it stays", async () => {
    const { done: first, failed, live } = await agedByWeeks();
    expect(await count("sluice.journal where not kept")).toBe(0);
    expect(await t.sluice.item(first)).toMatchObject({
      state: "done",
      outputs: { read: { pages: 10 }, print: { sheets: 10 } },
    });
    expect(await t.sluice.item(failed)).toMatchObject({ state: "failed", code: "TORN", attempts: { used: 1 } });
    const { entries, isThinned } = await t.sluice.history(first);
    expect(isThinned).toBe(true);
    expect(entries.map((entry) => entry.type)).toEqual(["item.done", "item.completed"]);
    expect((await t.sluice.explain(live)).state).toBe("waiting");
  });

  it("leaves a failed item to be retried with what its stages handed on, and a live one to go on", async () => {
    const { failed, live } = await agedByWeeks();
    isTorn = false;
    expect(await t.retry(failed)).toEqual({ ok: true });
    await t.signal("ink");
    await t.drain();
    expect((await t.sluice.item(failed)).outputs).toEqual({ read: { pages: 20 }, print: { sheets: 20 } });
    expect((await t.sluice.item(live)).outputs).toEqual({ read: { pages: 30 }, print: { sheets: 30 } });
  });

  it("of a time that no week is for goes when weeks go that came after it, and what is wanted of it stays", async () => {
    t = await testSluice({ pipelines: [forever] });
    await storeLimits(t.db, { history: 7 * DAY });
    const [item] = (await t.submit(forever, [{ n: 1 }])).items as [ItemId];
    await t.drain();
    // As a clock leaves it that was years behind for a moment.
    await t.db.query({ name: "behind", text: "update sluice.journal set at = at - interval '9 years'" }, []);
    const written = await count("sluice.journal_rest");
    expect(written).toBeGreaterThan(2);
    await t.submit(forever, [{ n: 1 }]);
    await pass(2);
    expect(await count("sluice.journal_rest")).toBe(written);
    await pass(19);
    expect(await count("sluice.journal_rest")).toBe(0);
    expect((await t.sluice.item(item)).outputs).toEqual({ read: { pages: 10 }, print: { sheets: 10 } });
  });

  it("tells a reader who comes back too late, and nobody else", async () => {
    const { cursor, live } = await agedByWeeks();
    const late = t.sluice.feed({ after: cursor });
    await expect(late.next()).rejects.toMatchObject({ code: "FEED_RESET" });
    const now = await t.sluice.feedEnd();
    await t.signal("ink");
    await t.drain();
    for (const options of [{ after: now }, {}, { item: live }]) {
      const feed = t.sluice.feed(options);
      const { value } = await feed.next();
      expect(value).toMatchObject({ type: "item.signalled" });
      const { value: next } = await t.sluice.feed({ ...options, after: value.cursor }).next();
      expect(next).toMatchObject({ type: "item.completed" });
      await feed.return?.();
    }
  });
});

it("the policy stays what the code said where a process has no code", async () => {
  t = await testSluice({ pipelines: [paper] });
  await submitted(1);
  const { pipelines } = await t.sluice.retention.status();
  expect(pipelines).toContainEqual({
    name: "paper",
    version: 1,
    done: 10 * DAY,
    failed: 40 * DAY,
    cancelled: null,
  });
  const { tables, lastRun } = await t.sluice.retention.status();
  expect(tables.map((table) => table.name)).toContain("journal");
  expect(lastRun).not.toBeUndefined();
});
