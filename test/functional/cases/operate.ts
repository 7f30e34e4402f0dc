// What people do to work that is under way: hold it, cancel it, try it anew.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, permanent } from "../../../src/engine/index.ts";
import { doorway, story, type World } from "../world.ts";

const nothing = z.object({});

export function describeOperating(world: World): void {
  describe("pause", () => {
    const visited: string[] = [];
    const steps = definePipeline("steps", { version: 1, input: nothing })
      .stage("one", {
        run: () => {
          visited.push("one");
          return done();
        },
      })
      .stage("two", {
        run: () => {
          visited.push("two");
          return done();
        },
      });
    world.use(steps);
    const valve = async () =>
      (await world.sluice.valves()).find((one) => one.pipeline === "steps" && one.stage === "two");

    test("of a stage holds items before it, visibly, until it is resumed", async () => {
      await world.sluice.pause({ pipeline: "steps", stage: "two" }, { note: "disk is being changed", by: "ann" });
      expect(await valve()).toMatchObject({ closed: true, note: "disk is being changed" });
      await world.until(async () => (await valve())?.is_closing === false);
      const request = await world.sluice.submit(steps, [{}]);
      const id = request.items[0] as ItemId;
      await world.until(async () => (await world.sluice.item(id)).stage === "two");
      const { reason, sentence } = await world.sluice.explain(id);
      expect(reason).toBe("paused");
      expect(sentence).toContain("disk is being changed");
      expect(visited).toEqual(["one"]);
      await world.sluice.resume({ pipeline: "steps", stage: "two" });
      expect(await world.finished(request)).toMatchObject({ ok: true });
      expect(visited).toEqual(["one", "two"]);
      expect(await valve()).toMatchObject({ closed: false });
    });

    test("says that it is closing until every live worker has acknowledged it", async () => {
      // A worker that does not beat any more, and has not been found dead yet.
      await world.rows(
        "insert into sluice.worker (name, host, pid, pid_started, epoch, started_at) values ('silent', 'elsewhere', 1, '1', 77, sluice.now())",
      );
      await world.sluice.pause({ pipeline: "steps", stage: "two" });
      expect(await valve()).toMatchObject({ closed: true, is_closing: true });
      await world.rows("update sluice.worker set state = 1, ended_at = sluice.now() where epoch = 77");
      await world.until(async () => (await valve())?.is_closing === false);
      await world.sluice.resume({ pipeline: "steps", stage: "two" });
    });
  });

  describe("cancel", () => {
    const ran: string[] = [];
    const doors = { quick: doorway(), slow: doorway() };
    const reasons: unknown[] = [];
    const work = definePipeline("work", { version: 1, input: z.object({ how: z.enum(["quick", "slow", "at-once"]) }) })
      .stage("do", {
        run: async ({ input: { how }, signal }) => {
          ran.push(how);
          if (how === "quick") await doors.quick.pass();
          if (how === "slow") await doors.slow.pass(signal).catch((reason: unknown) => reasons.push(reason));
          return done();
        },
      })
      .stage("after", { run: () => done() });
    world.use(work);

    test("of an item in the queue: it never begins", async () => {
      const request = await world.sluice.submit(work, [{ how: "at-once" }], { delay: "1h" });
      const id = request.items[0] as ItemId;
      expect(await world.sluice.cancel(id, "ann")).toEqual({ ok: true });
      expect(await world.finished(request)).toMatchObject({
        ok: false,
        items: [{ state: "cancelled", message: "ann" }],
      });
      expect(await world.sluice.cancel(id)).toMatchObject({ ok: false });
      expect(await story(world.sluice, id)).toEqual(["do accepted scheduled", "do cancelled → cancelled"]);
      expect(ran).toEqual([]);
    });

    test("of one being visited: its result is refused when it comes, and the refusal is recorded", async () => {
      const request = await world.sluice.submit(work, [{ how: "quick" }]);
      const id = request.items[0] as ItemId;
      await doors.quick.reached;
      expect(await world.sluice.cancel(id)).toEqual({ ok: true });
      expect((await world.finished(request)).items[0]?.state).toBe("cancelled");
      doors.quick.open();
      await world.until(async () => (await story(world.sluice, id)).includes("do refused"));
      expect(await world.sluice.item(id)).toMatchObject({ state: "cancelled" });
      expect(await world.sluice.request(request.request)).toMatchObject({
        counts: { total: 1, cancelled: 1, completed: 0 },
      });
    });

    test("of one being visited for long: its signal aborts, and a result that comes all the same is refused", async () => {
      const request = await world.sluice.submit(work, [{ how: "slow" }]);
      await doors.slow.reached;
      await world.sluice.cancel(request.request);
      await world.until(() => reasons.length === 1);
      expect(reasons).toMatchObject([{ code: "TAKEN" }]);
      await world.until(async () => (await story(world.sluice, request.items[0])).includes("do refused"));
    });

    test("of a request: what has ended stays as it ended", async () => {
      const request = await world.sluice.submit(work, [{ how: "at-once" }, { how: "at-once" }]);
      await world.finished(request);
      expect(await world.sluice.cancel(request.request)).toMatchObject({ ok: false });
      expect(await world.sluice.request(request.request)).toMatchObject({ status: "COMPLETED" });
      const waiting = await world.sluice.submit(work, Array(3).fill({ how: "at-once" }), { delay: "1h" });
      expect(await world.sluice.cancel(waiting.request)).toEqual({ ok: true });
      expect(await world.sluice.request(waiting.request)).toMatchObject({
        status: "CANCELLED",
        counts: { cancelled: 3 },
      });
    });
  });

  describe("retry", () => {
    let isFixed = false;
    const fixable = definePipeline("fixable", { version: 1, input: nothing })
      .stage("first", { run: () => done({ kept: true }) })
      .stage("second", {
        run: async ({ out, checkpoint, attempt }) => {
          expect(attempt).toBe(1);
          if (isFixed) return done({ ...out.first, from: checkpoint.value });
          await checkpoint.save("half-way");
          throw permanent("DISK", "full");
        },
      });
    world.use(fixable);

    test("begins a new series where it failed; history stays, and so does what earlier stages handed on", async () => {
      const request = await world.sluice.submit(fixable, [{}]);
      const id = request.items[0] as ItemId;
      await world.finished(request);
      isFixed = true;
      expect(await world.sluice.retry(id, "ann")).toEqual({ ok: true });
      expect((await world.finished(request)).items).toMatchObject([
        { state: "done", output: { kept: true, from: "half-way" } },
      ]);
      const { entries } = await world.sluice.history(id);
      expect(entries.map(({ from, outcome, series }) => `${from} ${outcome} ${series}`)).toEqual([
        "null accepted 1",
        "first done 1",
        "second fault 1",
        "second retried 2",
        "second done 2",
      ]);
      expect(await world.sluice.request(request.request)).toMatchObject({ status: "COMPLETED", counts: { failed: 0 } });
    });

    test("is only for what failed", async () => {
      const request = await world.sluice.submit(fixable, [{}], { delay: "1h" });
      const id = request.items[0] as ItemId;
      const refusal = { ok: false, reason: "only a failed item can be retried" };
      expect(await world.sluice.retry(id)).toEqual(refusal);
      await world.sluice.cancel(id);
      expect(await world.sluice.retry(id)).toEqual(refusal);
    });
  });
}
