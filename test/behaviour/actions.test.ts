// What people do to items that stand somewhere: replay, skip, take back, and what a pipeline says about a retry.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { permanent } from "../../src/engine/pipeline/fault.ts";
import { done, type Outcome, skip, wait } from "../../src/engine/pipeline/outcome.ts";
import { type AnyPipeline, definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import type { ItemId } from "../../src/kit/index.ts";
import { opened } from "../support/downloads.ts";
import { openFilms, partOf, Servers } from "../support/films.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const input = z.object({ title: z.string() });

/** Three stages that count their visits; what the second hands on, and whether the third fails, can be changed. */
class Mill {
  readonly visits: string[] = [];
  readonly seen: unknown[] = [];
  second: "hands on" | "waits" | "skips" = "hands on";
  third: "works" | "fails" = "works";

  pipeline(version = 1, last = "grind") {
    return definePipeline("mill", { version, input })
      .stage("sow", { run: () => this.#visit("sow", done({ seeds: this.visits.length })) })
      .stage("reap", {
        run: (): Outcome<{ corn: number } | undefined> => {
          if (this.second === "waits") return this.#visit("reap", wait("rain", { again: "1h" }));
          if (this.second === "skips") return this.#visit("reap", skip("nothing grew", undefined));
          return this.#visit("reap", done({ corn: this.visits.length }));
        },
      })
      .stage(last, {
        run: ({ out }) => {
          this.seen.push(out);
          if (this.third === "fails") throw permanent("STONE", "a stone");
          return this.#visit(last, done({ flour: version }));
        },
      });
  }

  #visit<Given>(name: string, outcome: Given): Given {
    this.visits.push(name);
    return outcome;
  }
}

async function opens(...pipelines: AnyPipeline[]): Promise<TestSluice> {
  open = await testSluice({ pipelines });
  return open;
}

async function ground(
  mill: Mill,
): Promise<{ t: TestSluice; item: ItemId; request: Awaited<ReturnType<TestSluice["submit"]>> }> {
  const pipeline = mill.pipeline();
  const t = await opens(pipeline, mill.pipeline(2, "bake"));
  const request = await t.submit(pipeline, [{ title: "rye" }], { owner: "ann", key: "field" });
  await t.drain();
  return { t, item: request.items[0] as ItemId, request };
}

const rows = async (t: TestSluice) =>
  (
    await t.db.query<{ n: string }>(
      {
        name: "test-rows",
        text: "select (select count(*) from sluice.journal) + (select count(*) from sluice.audit) as n",
      },
      [],
    )
  )[0]?.n;

describe("a replay in place", () => {
  it("of a completed item does it again from there, with what came before", async () => {
    const mill = new Mill();
    const { t, item, request } = await ground(mill);
    const before = await rows(t);
    const would = { items: 1, stage: "reap", keeps: ["sow"], redoes: ["reap", "grind"] };
    expect(await t.sluice.replay(item, { from: "reap", dryRun: true })).toEqual({ ok: true, would });
    expect(await rows(t)).toBe(before);
    await t.pause({ pipeline: "mill" });
    expect(await t.sluice.replay(item, { from: "reap", by: "bob" })).toEqual({ ok: true });
    expect(await t.sluice.request(request.request)).toMatchObject({ status: "PROCESSING", counts: { completed: 0 } });
    expect((await t.sluice.item(item)).outputs).toEqual({ sow: { seeds: 0 } });
    expect(await t.sluice.replay(item, { from: "reap" })).toEqual({ ok: false, reason: 'it has not begun "reap" yet' });
    await t.resume({ pipeline: "mill" });
    await t.drain();
    expect(mill.visits).toEqual(["sow", "reap", "grind", "reap", "grind"]);
    expect(await t.trace(item)).toEqual([
      "sow accepted",
      "sow done",
      "reap done",
      "grind done",
      "grind replayed",
      "reap done",
      "grind done",
    ]);
    expect((await t.sluice.item(item)).outputs).toEqual({ sow: { seeds: 0 }, reap: { corn: 3 }, grind: { flour: 1 } });
    expect(await t.sluice.request(request.request)).toMatchObject({ status: "COMPLETED", counts: { completed: 1 } });
  });

  it("does not show later stages what was handed on before", async () => {
    const mill = new Mill();
    const { t, item } = await ground(mill);
    mill.second = "skips";
    await t.sluice.replay(item, { from: "reap" });
    await t.drain();
    expect(mill.seen).toEqual([{ sow: { seeds: 0 }, reap: { corn: 1 } }, { sow: { seeds: 0 } }]);
    expect((await t.sluice.item(item)).outputs).toEqual({ sow: { seeds: 0 }, grind: { flour: 1 } });
  });

  it("of one that waits, of a failed one and of a cancelled one", async () => {
    const mill = new Mill();
    mill.second = "waits";
    const { t, item } = await ground(mill);
    mill.second = "hands on";
    mill.third = "fails";
    expect(await t.sluice.replay(item, { from: "grind" })).toMatchObject({ reason: 'it has not come to "grind" yet' });
    expect(await t.sluice.replay(item, { from: "sow" })).toEqual({ ok: true });
    await t.drain();
    expect(await t.sluice.item(item)).toMatchObject({ state: "failed", series: 2 });
    mill.third = "works";
    mill.second = "waits";
    expect(await t.sluice.replay(item, { from: "reap" })).toEqual({ ok: true });
    await t.drain();
    await t.cancel(item);
    mill.second = "hands on";
    expect(await t.sluice.replay(item, { from: "sow" })).toEqual({ ok: true });
    await t.drain();
    expect(await t.sluice.item(item)).toMatchObject({ state: "done", series: 4 });
    expect((await t.trace(item)).filter((line) => line.endsWith("replayed"))).toEqual([
      "reap replayed",
      "grind replayed",
      "reap replayed",
    ]);
  });

  it("onto another version", async () => {
    const mill = new Mill();
    mill.second = "waits";
    const { t, item } = await ground(mill);
    mill.second = "hands on";
    expect(await t.sluice.replay(item, { from: "reap", onto: 3 })).toMatchObject({ reason: "there is no mill@3" });
    expect(await t.sluice.replay(item, { from: "reap", onto: 2 })).toEqual({ ok: true });
    await t.drain();
    expect(await t.sluice.item(item)).toMatchObject({ version: 2, state: "done", stage: "bake" });
    expect(mill.visits).toEqual(["sow", "reap", "reap", "bake"]);
  });

  it("owes what is going on outside, and begins it anew", async () => {
    const client = scripted().stallsAt(0);
    const { t, item } = await opened({}, client);
    open = t;
    await t.advance("10s");
    const [old] = [...client.jobs.keys()];
    expect(await t.sluice.replay(item, { from: "download" })).toEqual({ ok: true });
    expect(await t.owed()).toHaveLength(1);
    await t.advance("1m");
    expect(client.cancelled).toContain(old);
    expect(client.starts.size).toBe(2);
  });
});

describe("a replay as a copy", () => {
  it("makes a new item of the same owner that knows what came before, once", async () => {
    const mill = new Mill();
    const { t, item } = await ground(mill);
    mill.second = "waits";
    const answer = await t.sluice.replay(item, { from: "reap", as: "copy", by: "bob" });
    if (!answer.ok || answer.copy === undefined) throw new Error("no copy");
    const { copy } = answer;
    expect(await t.sluice.item(copy.item)).toMatchObject({
      owner: "ann",
      stage: "reap",
      outputs: { sow: { seeds: 0 } },
    });
    await t.drain();
    const again = { ok: false, reason: "a copy of it from there is on its way already" };
    expect(await t.sluice.replay(item, { from: "reap", as: "copy" })).toEqual(again);
    mill.second = "hands on";
    await t.advance("2h");
    expect(await t.sluice.item(copy.item)).toMatchObject({ state: "done" });
    expect(mill.seen.at(-1)).toMatchObject({ sow: { seeds: 0 } });
    expect(await t.trace(copy.item)).toEqual(["sow accepted", "sow skip", "reap wait rain", "reap done", "grind done"]);
    expect(await t.sluice.item(item)).toMatchObject({ state: "done", series: 1 });
    expect(await t.sluice.replay(item, { from: "sow", as: "copy", onto: 2 })).toMatchObject({ ok: true });
    await t.drain();
    expect(mill.visits.at(-1)).toBe("bake");
  });
});

describe("skip", () => {
  it("goes on to the next stage with the reason, or ends it", async () => {
    const mill = new Mill();
    mill.second = "waits";
    const { t, item, request } = await ground(mill);
    await t.pause({ pipeline: "mill" });
    expect(await t.sluice.skip(item, { reason: "it will not rain", stage: "sow" })).toMatchObject({ ok: false });
    expect(await t.sluice.skip(item, { reason: "it will not rain", stage: "reap", by: "bob" })).toEqual({ ok: true });
    const { entries } = await t.sluice.history(item);
    expect(entries.at(-1)).toMatchObject({ outcome: "skip", message: "it will not rain", from: "reap", to: "grind" });
    expect(await t.sluice.skip(item, { reason: "no", stage: "reap" })).toMatchObject({ reason: 'it is not in "reap"' });
    expect(await t.sluice.skip(item, { reason: "no mill" })).toEqual({ ok: true });
    expect(await t.sluice.item(item)).toMatchObject({ state: "done" });
    expect(await t.sluice.request(request.request)).toMatchObject({ status: "COMPLETED" });
    expect(await t.sluice.skip(item, { reason: "no" })).toMatchObject({ reason: "it has ended already" });
    await expect(t.sluice.skip(item, { reason: "" })).rejects.toMatchObject({ field: "reason" });
    const [free] = await t.db.query({ name: "test-keys", text: "select key from sluice.unique_key" }, []);
    expect(free).toBeUndefined();
  });

  it("of one part lets its item go on", async () => {
    const client = new Servers().failing("nas-2", () => new Error("slow"));
    const { t, item, request } = await openFilms(client, ["nas-1", "nas-2"]);
    open = t;
    await t.advance("10s");
    const part = await partOf(t, item, "nas-2");
    expect(await t.sluice.skip(item, { reason: "no" })).toMatchObject({ ok: false });
    expect(await t.sluice.skip(part, { reason: "it was thrown away" })).toEqual({ ok: true });
    await t.advance("1m");
    expect(await t.sluice.request(request)).toMatchObject({ status: "COMPLETED", counts: { completed: 1, partly: 0 } });
  });
});

describe("take back", () => {
  it("has it queued again, and refuses what the worker brings", async () => {
    const gate = Promise.withResolvers<void>();
    const there = Promise.withResolvers<void>();
    let visits = 0;
    const pipeline = definePipeline("slow", { version: 1, input }).stage("dig", {
      run: async ({ attempt }) => {
        visits += 1;
        if (visits === 1) {
          there.resolve();
          await gate.promise;
        }
        return done({ attempt, visits });
      },
    });
    const t = await opens(pipeline);
    const { items } = await t.submit(pipeline, [{ title: "deep" }]);
    const item = items[0] as ItemId;
    await there.promise;
    expect(await t.sluice.skip(item, { reason: "no" })).toMatchObject({ reason: /take it back/ });
    expect(await t.sluice.takeBack(item, "bob")).toEqual({ ok: true });
    expect(await t.sluice.takeBack(item)).toEqual({ ok: false, reason: "no worker holds it" });
    gate.resolve();
    await t.drain();
    expect((await t.sluice.item(item)).outputs).toEqual({ dig: { attempt: 1, visits: 2 } });
    expect(await t.trace(item)).toEqual(expect.arrayContaining(["dig taken-back", "dig refused", "dig done"]));
  });
});

describe("an item that the same worker claims again before it was seen that it was taken back", () => {
  it("stops the former visit, and keeps what that brings out of the commit even of the same batch", async () => {
    const end = Promise.withResolvers<void>();
    const there = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reasons: unknown[] = [];
    const committed: unknown[] = [];
    let visits = 0;
    const pipeline = definePipeline("slow", { version: 1, input }).stage("dig", {
      run: async ({ signal }) => {
        const visit = visits;
        visits += 1;
        signal.addEventListener("abort", () => reasons.push({ visit, reason: signal.reason }));
        there[visit]?.resolve();
        // Both end in the same turn, and are written together.
        await end.promise;
        return done({ visit });
      },
      commit: async (_tx, items) => void committed.push(...items.map((one) => one.output)),
    });
    const t = await opens(pipeline);
    const { items } = await t.submit(pipeline, [{ title: "deep" }]);
    const item = items[0] as ItemId;
    await there[0]?.promise;
    expect(await t.sluice.takeBack(item)).toEqual({ ok: true });
    await there[1]?.promise;
    const told = [...reasons];
    end.resolve();
    expect(told).toMatchObject([{ visit: 0, reason: { code: "TAKEN" } }]);
    await t.drain();
    expect(committed).toEqual([{ visit: 1 }]);
    expect((await t.sluice.item(item)).outputs).toEqual({ dig: { visit: 1 } });
    expect((await t.trace(item)).toSorted()).toEqual(["dig accepted", "dig done", "dig refused", "dig taken-back"]);
  });
});

describe("set priority", () => {
  it("of an item and of a request", async () => {
    const mill = new Mill();
    mill.second = "waits";
    const { t, item, request } = await ground(mill);
    expect(await t.sluice.setPriority(item, 1)).toEqual({ ok: true });
    expect(await t.sluice.setPriority(item, 1)).toEqual({ ok: false, reason: "its priority is 1 already" });
    expect(await t.sluice.setPriority(request.request, 5, { dryRun: true })).toMatchObject({ would: { items: 1 } });
    expect((await t.sluice.item(item)).priority).toBe(1);
    expect(await t.sluice.setPriority(request.request, 5)).toEqual({ ok: true });
    expect(await t.sluice.setPriority(request.request, 5)).toMatchObject({ reason: "its priority is 5 already" });
    expect((await t.sluice.item(item)).priority).toBe(5);
    await expect(t.sluice.setPriority(item, 6)).rejects.toMatchObject({ field: "priority" });
    await t.cancel(item);
    expect(await t.sluice.setPriority(request.request, 1)).toMatchObject({ reason: "nothing of it is alive" });
  });
});

describe("a retry", () => {
  it("is for the pipeline to refuse: by whom, and whether the source is still there", async () => {
    const sources = new Set<string>();
    let isBroken = false;
    const pipeline = definePipeline("convert", {
      version: 1,
      input,
      retry: async (asked) => {
        if (isBroken) throw new Error("the disk is away");
        if (asked.by !== asked.owner && asked.by !== "admin") return "only its owner or an admin may retry it";
        return sources.has(asked.input.title) ? undefined : `${asked.input.title} is not there any more`;
      },
    }).stage("read", {
      run: () => {
        throw permanent("BROKEN", "no");
      },
    });
    const t = await opens(pipeline);
    await t.sluice.pause({ pipeline: "convert" });
    const { items } = await t.submit(pipeline, [{ title: "a.pdf" }], { owner: "ann" });
    const item = items[0] as ItemId;
    expect(await t.retry(item, "ann")).toEqual({ ok: false, reason: "only a failed item can be retried" });
    await t.sluice.resume({ pipeline: "convert" });
    await t.drain();
    expect(await t.retry(item, "bob")).toEqual({ ok: false, reason: "only its owner or an admin may retry it" });
    expect(await t.retry(item, { by: "ann" })).toEqual({ ok: false, reason: "a.pdf is not there any more" });
    isBroken = true;
    expect(await t.retry(item, "ann")).toMatchObject({ reason: /could not be found out.*the disk is away/ });
    isBroken = false;
    sources.add("a.pdf");
    expect(await t.retry(item, { by: "admin", dryRun: true })).toMatchObject({ ok: true, would: { stage: "read" } });
    expect((await t.sluice.item(item)).state).toBe("failed");
    expect(await t.retry(item, { by: "admin" })).toEqual({ ok: true });
    const [audit] = await t.db.query(
      { name: "test-audit", text: "select actor, action from sluice.audit order by id desc limit 1" },
      [],
    );
    expect(audit).toEqual({ actor: "admin", action: "retry" });
  });
});
