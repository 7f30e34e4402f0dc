// What looks for work by itself, and what hands it in at set times.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, finder, type RequestId, schedule } from "../../../src/engine/index.ts";
import type { World } from "../world.ts";

export function describeRecurring(world: World): void {
  describe("a finder", () => {
    const titles = definePipeline("titles", { version: 1, input: z.object({ n: z.number() }) }).stage("keep", {
      run: ({ input: { n } }) => done({ n }),
    });
    let count = 5;
    const numbers = finder<{ n: number }, number>("numbers", {
      every: "1d",
      pipeline: titles,
      limit: 2,
      find: ({ after, limit }) => {
        const from = after ?? 0;
        const found = Array.from(
          { length: Math.max(0, Math.min(limit, count - from)) },
          (_, index) => from + index + 1,
        );
        return { found: found.map((n) => ({ key: `n:${n}`, input: { n } })), after: from + found.length };
      },
    });
    world.use(titles);
    world.bring({ finders: [numbers] });
    const entered = async () =>
      (
        await world.rows<{ n: number }>(
          `select (i.input ->> 'n')::int as n from sluice.item i join sluice.pipeline p on p.id = i.pipeline_id
           where p.name = 'titles' order by 1`,
        )
      ).map((row) => row.n);
    const state = async () => (await world.sluice.finders.list()).find((one) => one.name === "numbers");

    test("enters what it finds once, page by page, from where it had come to, and again only when it is told to", async () => {
      const { finders } = world.sluice;
      await world.until(async () => (await entered()).length === 5);
      await world.until(async () => (await state())?.isRunning === false);
      expect(await state()).toMatchObject({ found: 5, new: 5, known: 0, after: 5, error: null });
      count = 6;
      expect(await finders.run("numbers", { dryRun: true })).toEqual({ new: ["n:6"], known: [], after: 6 });
      expect(await entered()).toHaveLength(5);
      expect(await finders.rewind("numbers", 4, { by: "ann" })).toEqual({ ok: true });
      expect(await finders.run("numbers", { by: "ann" })).toEqual({ ok: true });
      await world.until(async () => (await state())?.after === 6);
      await world.until(async () => (await state())?.isRunning === false);
      expect(await entered()).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await state()).toMatchObject({ found: 2, new: 1, known: 1 });
      expect(await finders.run("nobody")).toMatchObject({ ok: false });
      expect(await finders.rewind("nobody", 1)).toMatchObject({ ok: false });
    });
  });

  describe("a schedule", () => {
    const reports = definePipeline("reports", { version: 1, input: z.object({ at: z.string() }) }).stage("write", {
      run: ({ input: { at } }) => done({ at }),
    });
    const yearly = schedule("yearly", {
      cron: "30 2 1 7 *",
      zone: "Europe/Berlin",
      pipeline: reports,
      inputs: ({ at }) => [{ at: at.toISOString() }],
    });
    world.use(reports);
    world.bring({ schedules: [yearly] });
    const state = async () => (await world.sluice.schedules.list()).find((one) => one.name === "yearly");

    test("says when it comes next, is run at once by a person, missed by nobody, and paused", async () => {
      const { schedules } = world.sluice;
      const { next } = (await state()) ?? {};
      expect(next?.toISOString()).toMatch(/-07-01T00:30:00/);
      const answer = await schedules.run("yearly", { by: "ann" });
      expect(answer).toMatchObject({ ok: true });
      const { request } = answer as { readonly request: RequestId };
      const result = await world.finished({ result: (given) => world.sluice.result(request, given) });
      expect(result).toMatchObject({ ok: true });
      expect(await schedules.pause("yearly", { by: "ann" })).toEqual({ ok: true });
      expect(await schedules.pause("yearly")).toMatchObject({ ok: false });
      // Its time comes while it is paused.
      await world.rows("update sluice.schedule set next_at = sluice.now() - interval '1 minute' where name = 'yearly'");
      expect(await state()).toMatchObject({ isPaused: true });
      expect(await schedules.resume("yearly", { by: "ann" })).toEqual({ ok: true });
      expect(await schedules.resume("yearly")).toMatchObject({ ok: false });
      expect(await state()).toMatchObject({ isPaused: false, missed: 0, last: null, next, error: null });
      expect(await schedules.run("nobody")).toMatchObject({ ok: false });
    });

    test("hands in its work when its time has come, under the planned time", async () => {
      await world.rows(
        "update sluice.schedule set next_at = date_trunc('hour', sluice.now()) - interval '1 hour' where name = 'yearly'",
      );
      await world.until(async () => (await state())?.last !== null);
      const { last } = (await state()) ?? {};
      const made = await world.rows<{ key: string }>("select key from sluice.request where key like 'yearly@%'");
      expect(made.map((row) => row.key)).toContain(`yearly@${last?.toISOString()}`);
    });
  });
}
