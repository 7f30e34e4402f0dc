// What people do to single items: each answers whether it was done, else why not; a dry run tells and changes nothing.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, permanent, wait } from "../../../src/engine/index.ts";
import { doorway, story, type World } from "../world.ts";

export function describeActions(world: World): void {
  describe("an action", () => {
    const visits: string[] = [];
    const now = { isDry: false, isStony: false };
    const input = z.object({ name: z.string() });
    const mill = definePipeline("mill", {
      version: 1,
      input,
      retry: ({ by, owner }) => (by === owner ? undefined : `only ${owner} may`),
    })
      .stage("sow", { run: ({ input: { name } }) => done({ seeds: name }) })
      .stage("reap", {
        run: ({ input: { name } }) => {
          visits.push(`reap ${name}`);
          return now.isDry ? wait("rain", { again: "1h" }) : done({ corn: visits.length });
        },
      })
      .stage("grind", {
        run: ({ out }) => {
          if (now.isStony) throw permanent("STONE", "a stone");
          return done({ ...out });
        },
      });
    const door = doorway();
    let dug = 0;
    const dig = definePipeline("dig", { version: 1, input }).stage("dig", {
      run: async () => {
        dug += 1;
        if (dug === 1) await door.pass();
        return done({ dug });
      },
    });
    world.use(mill, dig);

    const submitted = async (name: string) => {
      const request = await world.sluice.submit(mill, [{ name }], { owner: "ann" });
      return { request, item: request.items[0] as ItemId };
    };
    /** It waits for rain in the second stage. */
    const waiting = async (name: string) => {
      now.isDry = true;
      const made = await submitted(name);
      await world.until(async () => (await world.sluice.item(made.item)).state === "waiting");
      now.isDry = false;
      return made;
    };
    const audited = async (action: string) =>
      (
        await world.rows<{ actor: string }>("select actor from sluice.audit where action = $1 order by id", [action])
      ).map((row) => row.actor);
    const stand = async () =>
      await world.rows("select (select count(*) from sluice.journal)::int as j, count(*)::int as a from sluice.audit");

    test("retry is refused by the pipeline's own rule, and done for whom it allows", async () => {
      now.isStony = true;
      const { request, item } = await submitted("rye");
      await world.finished(request);
      now.isStony = false;
      const before = await stand();
      expect(await world.sluice.retry(item, "bob")).toEqual({ ok: false, reason: "only ann may" });
      expect(await world.sluice.retry(item, { by: "ann", dryRun: true })).toEqual({
        ok: true,
        would: { items: 1, stage: "grind", keeps: ["sow", "reap"], redoes: ["grind"] },
      });
      expect(await stand()).toEqual(before);
      expect(await world.sluice.retry(item, "ann")).toEqual({ ok: true });
      expect(await world.finished(request)).toMatchObject({ ok: true });
    });

    test("replay does an item again from a stage on, with what came before", async () => {
      const { request, item } = await submitted("oats");
      await world.finished(request);
      const before = await stand();
      const would = { items: 1, stage: "reap", keeps: ["sow"], redoes: ["reap", "grind"] };
      expect(await world.sluice.replay(item, { from: "reap", dryRun: true })).toEqual({ ok: true, would });
      expect(await stand()).toEqual(before);
      expect(await world.sluice.replay(item, { from: "bake" })).toMatchObject({ ok: false });
      const harvests = visits.length;
      expect(await world.sluice.replay(item, { from: "reap", by: "ann" })).toEqual({ ok: true });
      await world.finished(request);
      expect(visits.length).toBe(harvests + 1);
      expect((await world.sluice.item(item)).outputs).toMatchObject({
        grind: { sow: { seeds: "oats" }, reap: { corn: visits.length } },
      });
      expect(await audited("replay")).toEqual(["ann"]);
    });

    test("replay as a copy leaves the item as it is, and makes one copy however often it is asked", async () => {
      const { request, item } = await submitted("corn");
      await world.finished(request);
      now.isDry = true;
      const answer = await world.sluice.replay(item, { from: "reap", as: "copy", by: "ann" });
      if (!answer.ok || answer.copy === undefined) throw new Error("no copy");
      const { copy } = answer;
      expect(await world.sluice.item(copy.item)).toMatchObject({ owner: "ann", outputs: { sow: { seeds: "corn" } } });
      expect(await world.sluice.replay(item, { from: "reap", as: "copy" })).toMatchObject({ ok: false });
      await world.until(async () => (await world.sluice.item(copy.item)).state === "waiting");
      now.isDry = false;
      expect(await world.sluice.replay(copy.item, { from: "reap" })).toEqual({ ok: true });
      await world.until(async () => (await world.sluice.item(copy.item)).state === "done");
      expect(await world.sluice.item(item)).toMatchObject({ state: "done", series: 1 });
    });

    test("skip goes on to the next stage, or ends the item", async () => {
      const { request, item } = await waiting("wheat");
      expect(await world.sluice.skip(item, { reason: "no", stage: "sow" })).toMatchObject({ ok: false });
      expect(await world.sluice.skip(item, { reason: "no", dryRun: true })).toMatchObject({
        would: { stage: "grind" },
      });
      expect(await world.sluice.skip(item, { reason: "it will not rain", stage: "reap", by: "ann" })).toEqual({
        ok: true,
      });
      expect(await world.finished(request)).toMatchObject({
        ok: true,
        items: [{ output: { sow: { seeds: "wheat" } } }],
      });
      expect(await story(world.sluice, item)).toEqual([
        "sow accepted",
        "sow done",
        "reap wait rain",
        "reap skip",
        "grind done",
      ]);
    });

    test("take back has an item queued again, and what its worker brings is refused", async () => {
      const request = await world.sluice.submit(dig, [{ name: "deep" }]);
      const item = request.items[0] as ItemId;
      await door.reached;
      expect(await world.sluice.skip(item, { reason: "no" })).toMatchObject({ ok: false });
      expect(await world.sluice.takeBack(item, { by: "ann", dryRun: true })).toMatchObject({ would: { stage: "dig" } });
      expect(await world.sluice.takeBack(item, "ann")).toEqual({ ok: true });
      expect((await world.finished(request)).items).toMatchObject([{ output: { dug: 2 } }]);
      door.open();
      await world.until(async () => (await story(world.sluice, item)).includes("dig refused"));
      expect(await world.sluice.takeBack(item)).toEqual({ ok: false, reason: "it has ended already" });
      expect(await audited("take-back")).toEqual(["ann"]);
    });

    test("priority of an item, and of all of a request", async () => {
      const request = await world.sluice.submit(mill, [{ name: "a" }, { name: "b" }], { delay: "1h" });
      const item = request.items[0] as ItemId;
      expect(await world.sluice.setPriority(item, 1, "ann")).toEqual({ ok: true });
      expect(await world.sluice.setPriority(item, 1)).toEqual({ ok: false, reason: "its priority is 1 already" });
      expect(await world.sluice.setPriority(request.request, 5, { dryRun: true })).toMatchObject({
        would: { items: 2 },
      });
      expect((await world.sluice.item(item)).priority).toBe(1);
      expect(await world.sluice.setPriority(request.request, 5)).toEqual({ ok: true });
      expect((await world.sluice.item(item)).priority).toBe(5);
      expect(await world.sluice.cancel(request.request, { dryRun: true })).toMatchObject({ would: { items: 2 } });
      expect(await world.sluice.cancel(item, { dryRun: true })).toMatchObject({ ok: true });
      expect(await world.sluice.cancel(request.request)).toEqual({ ok: true });
    });
  });
}
