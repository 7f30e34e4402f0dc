// What can be asked: why something waits and until when, how long it will take, how stages fare, what is stuck, and whether
// the engine keeps its own rules.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ask, definePipeline, done, type ItemId, permanent, transient, wait } from "../../../src/engine/index.ts";
import { parseId } from "../../../src/kit/index.ts";
import type { World } from "../world.ts";

export function describeReads(world: World): void {
  describe("what can be asked", () => {
    const film = definePipeline("film", {
      version: 1,
      input: z.object({ does: z.enum(["work", "wait", "ask", "fail", "try"]), minutes: z.number().default(90) }),
      size: ({ minutes }) => minutes,
    }).stage("encode", {
      backoff: { base: "1h", cap: "1h" },
      run: ({ input: { does } }) => {
        if (does === "wait") return wait("release_date", { again: "2h" });
        if (does === "ask") return ask("Which cut?", { options: ["short", "long"] });
        if (does === "fail") throw permanent("GONE", "it is gone");
        if (does === "try") throw transient("EIO", "bad sector");
        return done();
      },
    });
    world.use(film);
    const submitted = async (does: "work" | "wait" | "ask" | "fail" | "try", options = {}): Promise<ItemId> =>
      (await world.sluice.submit(film, [{ does }], options)).items[0] as ItemId;

    test("why, since when, until when, and what to do: of the main waits and of a failure", async () => {
      const { sluice } = world;
      const items = {
        scheduled: await submitted("work", { delay: "3h", deadline: "5h" }),
        release_date: await submitted("wait"),
        question: await submitted("ask"),
        backoff: await submitted("try"),
        failed: await submitted("fail"),
      };
      for (const [reason, item] of Object.entries(items)) {
        await world.until(async () => (await sluice.explain(item)).reason === reason);
      }
      const told = async (item: ItemId) => {
        const { state, sentence, since, until, actions } = await sluice.explain(item);
        expect(since).toBeInstanceOf(Date);
        return { state, sentence, hasEnd: until !== null, actions };
      };
      expect(await told(items.scheduled)).toMatchObject({
        state: "waiting",
        sentence: expect.stringMatching(/It has until .*, and fails then\.$/),
        hasEnd: true,
      });
      expect(await told(items.release_date)).toMatchObject({ state: "waiting", hasEnd: true, actions: ["cancel"] });
      expect(await told(items.question)).toMatchObject({
        state: "needs-you",
        sentence: expect.stringContaining("Which cut?"),
        actions: expect.arrayContaining(["answer"]),
      });
      expect(await told(items.backoff)).toMatchObject({
        state: "waiting",
        sentence: expect.stringContaining("bad sector"),
        hasEnd: true,
      });
      expect(await told(items.failed)).toMatchObject({
        state: "failed",
        sentence: expect.stringContaining("it is gone"),
        actions: expect.arrayContaining(["retry"]),
      });
      expect((await sluice.questions(items.question)).map((one) => one.options)).toEqual([["short", "long"]]);
      for (const item of Object.values(items)) await sluice.cancel(item);
    });

    test("how long it takes, from how long others took; and how a stage fares", async () => {
      const { sluice } = world;
      const item = await submitted("work", { delay: "1h" });
      expect(await sluice.estimate(item)).toMatchObject({
        isKnown: false,
        because: "too-few-samples",
        stage: "encode",
      });
      await world.finished(await sluice.submit(film, Array(6).fill({ does: "work" })));
      await world.chores();
      await world.until(async () => (await sluice.estimate(item)).isKnown);
      const estimate = await sluice.estimate(item);
      expect(estimate).toMatchObject({ isKnown: true, samples: 6, sentence: expect.stringMatching(/^Done in /) });
      const { request } = await sluice.item(item);
      expect(await sluice.estimate(request)).toMatchObject({ isKnown: true, samples: 6 });
      const [figures] = (await sluice.figures()).filter((one) => one.pipeline === "film");
      expect(figures).toMatchObject({
        ...{ version: 1, stage: "encode", queued: 0, running: 0, waiting: 1, needsYou: 0, isMore: false },
        lastHour: { passed: 6, failed: 1 },
        lastDay: { passed: 6, failed: 1 },
        stay: { samples: 6 },
      });
      await sluice.cancel(item);
      expect(await sluice.estimate(item)).toMatchObject({ isKnown: false, because: "ended" });
    });

    test("what is stuck: what a worker has had in hand for longer than it may", async () => {
      const item = await submitted("wait");
      await world.until(async () => (await world.sluice.explain(item)).reason === "release_date");
      const id = parseId("item", item);
      // As a process that hangs would leave it: alive, and holding on.
      await world.rows(
        `update sluice.run set state = 1, epoch = (select epoch from sluice.worker where state = 0 limit 1),
           since = sluice.now() - interval '2 hours' where id = $1`,
        [id],
      );
      const stuck = await world.sluice.stuck();
      expect(stuck).toMatchObject([{ item, pipeline: "film", stage: "encode", explanation: { reason: "running" } }]);
      expect(await world.sluice.takeBack(item)).toEqual({ ok: true });
      await world.sluice.cancel(item);
    });

    test("whether the engine keeps its own rules", async () => {
      const { isOk, checks } = await world.sluice.doctor();
      // Cases forge rows; what a rule says about that is theirs. Every rule can be asked on this database.
      expect(checks.length).toBeGreaterThan(15);
      expect({ isOk, broken: checks.filter((one) => !one.isOk) }).toEqual({ isOk: true, broken: [] });
    });
  });
}
