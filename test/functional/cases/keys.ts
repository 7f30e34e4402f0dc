// Keys that make a submission unique: for how long, and what happens to the second one.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, permanent, type RequestId } from "../../../src/engine/index.ts";
import { story, type World } from "../world.ts";

export function describeKeys(world: World): void {
  const input = z.object({ bad: z.boolean().default(false) });
  const film = definePipeline("key-film", { version: 1, input }).stage("work", {
    run: ({ input: { bad } }) => {
      if (bad) throw permanent("BAD", "as asked");
      return done();
    },
  });
  const second = definePipeline("key-film", { version: 2, input }).stage("work", { run: () => done() });
  const song = definePipeline("key-song", { version: 1, input }).stage("work", { run: () => done() });
  world.use(film, second, song);
  const later = { delay: "1h" } as const;

  describe("a key that is unique while live", () => {
    test("leads to the request that has it, and adds the owner", async () => {
      const first = await world.sluice.submit(film, [{}, {}], { key: "l1", owner: "ann", ...later });
      const again = await world.sluice.submit(film, [{ bad: true }], { key: "l1", owner: "bob", ...later });
      expect(again).toMatchObject({ joined: true, request: first.request, items: first.items });
      expect(await world.sluice.request(first.request)).toMatchObject({ owners: ["ann", "bob"], counts: { total: 2 } });
      await world.sluice.cancel(first.request);
    });

    test("is free again when the request is over, however it ended", async () => {
      for (const bad of [false, true]) {
        const first = await world.sluice.submit(film, [{ bad }], { key: "l2" });
        expect(first.joined).toBe(false);
        await world.finished(first);
      }
      const cancelled = await world.sluice.submit(film, [{}], { key: "l2", ...later });
      await world.sluice.cancel(cancelled.request);
      expect((await world.sluice.submit(film, [{}], { key: "l2" })).joined).toBe(false);
    });

    test("holds for all versions of its pipeline, and for no other pipeline", async () => {
      const first = await world.sluice.submit(film, [{}], { key: "l3", ...later });
      expect(await world.sluice.submit(second, [{}], { key: "l3" })).toMatchObject({
        joined: true,
        request: first.request,
      });
      expect((await world.sluice.submit(song, [{}], { key: "l3" })).joined).toBe(false);
      await world.sluice.cancel(first.request);
    });

    test("lets one of many that come at once through; the others join it", async () => {
      const many = await Promise.all(
        Array.from({ length: 8 }, () => world.sluice.submit(film, [{}], { key: "l4", ...later })),
      );
      expect(new Set(many.map((one) => one.request)).size).toBe(1);
      expect(many.filter((one) => !one.joined)).toHaveLength(1);
      expect(await world.rows("select count(*)::int as n from sluice.request where key = 'l4'")).toEqual([{ n: 1 }]);
      await world.sluice.cancel(many[0]?.request as RequestId);
    });
  });

  describe("a key that is unique for a time", () => {
    test("stays taken after the request is over, and is free when the time has passed", async () => {
      const options = { key: "w1", unique: { window: "1h" } } as const;
      const first = await world.sluice.submit(film, [{}], options);
      await world.finished(first);
      expect(await world.sluice.submit(film, [{}], options)).toMatchObject({ joined: true, request: first.request });
      await world.rows("update sluice.unique_key set expires_at = sluice.now() where key = 'w1'");
      const next = await world.sluice.submit(film, [{}], options);
      expect(next.joined).toBe(false);
      expect(await world.sluice.submit(film, [{}], options)).toMatchObject({ joined: true, request: next.request });
    });
  });

  describe("a key that is unique for ever", () => {
    test("leads to what was done once", async () => {
      const first = await world.sluice.submit(film, [{}], { key: "f1", unique: "forever" });
      await world.finished(first);
      const again = await world.sluice.submit(film, [{}], { key: "f1", unique: "forever" });
      expect(again).toMatchObject({ joined: true, request: first.request });
      expect(await world.finished(again)).toMatchObject({ ok: true });
    });
  });

  describe("a key that is still taken by what failed", () => {
    test.each([
      ["for ever", "forever"],
      ["for a time", { window: "1h" }],
    ] as const)("%s: begins anew, and what then succeeds keeps the key", async (_, unique) => {
      const key = `failed-${JSON.stringify(unique)}`;
      const first = await world.sluice.submit(film, [{ bad: true }, { bad: true }], { key, unique });
      await world.finished(first);
      const next = await world.sluice.submit(film, [{}], { key, unique });
      expect(next.joined).toBe(false);
      expect(next.request).not.toBe(first.request);
      expect(await world.finished(next)).toMatchObject({ ok: true });
      expect(await world.sluice.submit(film, [{}], { key, unique })).toMatchObject({
        joined: true,
        request: next.request,
      });
      expect(await world.sluice.request(first.request)).toMatchObject({ status: "FAILED" });
    });

    test("joins it while some of it has not ended or some of it was done", async () => {
      const half = await world.sluice.submit(film, [{ bad: true }, {}], { key: "half", unique: "forever" });
      await world.finished(half);
      expect(await world.sluice.submit(film, [{}], { key: "half", unique: "forever" })).toMatchObject({
        joined: true,
        request: half.request,
      });
    });
  });

  describe("on conflict", () => {
    test("replace cancels what is there, all of it, and takes its place", async () => {
      const first = await world.sluice.submit(film, Array(700).fill({}), { key: "r1", ...later });
      const next = await world.sluice.submit(film, [{}], { key: "r1", onConflict: "replace", ...later });
      expect(next.joined).toBe(false);
      expect(await world.sluice.request(first.request)).toMatchObject({
        status: "CANCELLED",
        counts: { cancelled: 700 },
      });
      expect(await world.sluice.submit(film, [{}], { key: "r1" })).toMatchObject({ request: next.request });
      await world.sluice.cancel(next.request);
    });

    test("replace of what is over for ever begins anew", async () => {
      const first = await world.sluice.submit(film, [{}], { key: "r2", unique: "forever" });
      await world.finished(first);
      const next = await world.sluice.submit(film, [{}], { key: "r2", unique: "forever", onConflict: "replace" });
      expect(next).toMatchObject({ joined: false });
      expect(await world.finished(next)).toMatchObject({ ok: true });
      expect(await world.sluice.request(first.request)).toMatchObject({ status: "COMPLETED" });
    });

    test("reschedule moves the start of what has not begun", async () => {
      const first = await world.sluice.submit(film, [{}], { key: "s1", ...later });
      const moved = await world.sluice.submit(film, [{}], { key: "s1", onConflict: "reschedule", delay: 10 });
      expect(moved).toMatchObject({ joined: true, request: first.request });
      expect(await world.finished(moved)).toMatchObject({ ok: true });
      expect(await story(world.sluice, first.items[0])).toEqual([
        "work accepted scheduled",
        "work rescheduled",
        "work done",
      ]);
    });
  });

  describe("a retry and its request's key", () => {
    test("takes the key again, so that a new submission joins what is retried", async () => {
      const first = await world.sluice.submit(film, [{ bad: true }], { key: "t1" });
      await world.finished(first);
      await world.sluice.pause({ pipeline: "key-film", version: 1 });
      expect(await world.sluice.retry(first.items[0] as ItemId)).toEqual({ ok: true });
      expect(await world.sluice.submit(film, [{}], { key: "t1" })).toMatchObject({
        joined: true,
        request: first.request,
      });
      await world.sluice.resume({ pipeline: "key-film", version: 1 });
      await world.finished(first);
    });

    test("is refused while another request has the key", async () => {
      const first = await world.sluice.submit(film, [{ bad: true }], { key: "t2" });
      await world.finished(first);
      const next = await world.sluice.submit(film, [{}], { key: "t2", ...later });
      expect(await world.sluice.retry(first.items[0] as ItemId)).toMatchObject({
        ok: false,
        reason: expect.stringContaining("key"),
      });
      expect(await world.sluice.item(first.items[0] as ItemId)).toMatchObject({ state: "failed" });
      await world.sluice.cancel(next.request);
      expect(await world.sluice.retry(first.items[0] as ItemId)).toEqual({ ok: true });
      await world.finished(first);
    });
  });
}
