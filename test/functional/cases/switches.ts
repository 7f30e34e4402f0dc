// Stages switched off and on, single items let through, and versions of a pipeline beside each other.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId } from "../../../src/engine/index.ts";
import { story, type World } from "../world.ts";

const nothing = z.object({});

export function describeSwitches(world: World): void {
  describe("a switch", () => {
    const letters = definePipeline("letters", { version: 1, input: nothing })
      .stage("write", { run: () => done() })
      .stage("send", { run: () => done() });
    world.use(letters);
    const send = { pipeline: "letters", stage: "send" };
    const reasonOf = async (item: ItemId) => (await world.sluice.explain(item)).reason;

    test("keeps what comes to its stage, lets one through that a person names, and all when it is on again", async () => {
      const { sluice } = world;
      expect(await sluice.switches.off(send, { note: "no stamps", by: "ann" })).toEqual({ ok: true });
      await world.until(async () => (await sluice.switches.list())[0]?.state === "off");
      const request = await sluice.submit(letters, [{}, {}]);
      const [first, second] = request.items as [ItemId, ItemId];
      await world.until(
        async () => (await reasonOf(first)) === "stage_off" && (await reasonOf(second)) === "stage_off",
      );
      const { sentence, actions } = await sluice.explain(first);
      expect(sentence).toContain("send is switched off (no stamps)");
      expect(actions).toContain("run-once");

      expect(await sluice.runOnce(first, { dryRun: true })).toMatchObject({ ok: true });
      expect(await reasonOf(first)).toBe("stage_off");
      expect(await sluice.runOnce(first, "ann")).toEqual({ ok: true });
      await world.until(async () => (await sluice.item(first)).state === "done");
      expect(await story(sluice, first)).toContain("send let-through");
      expect(await reasonOf(second)).toBe("stage_off");

      expect(await sluice.switches.on(send, { by: "ann" })).toEqual({ ok: true });
      await world.finished(request);
      expect(await sluice.runOnce(second)).toMatchObject({ ok: false });
      expect(await sluice.switches.list()).toMatchObject([{ ...send, version: null, state: "on" }]);
      const audit = await world.rows(
        "select actor, action from sluice.audit where action like 'switch.%' or action = 'run-once' order by id",
      );
      expect(audit).toEqual(["switch.close", "run-once", "switch.open"].map((action) => ({ actor: "ann", action })));
    });
  });

  describe("versions", () => {
    const rolled = (version: number) =>
      definePipeline("rolled", { version, input: nothing }).stage("roll", { run: () => done({ version }) });
    const [one, two] = [rolled(1), rolled(2)];
    world.use(one, two);
    const KEYS = ["a", "b", "c"];
    const submitted = async (key: string) => {
      const { items } = await world.sluice.submit({ name: "rolled" }, [{}], { key });
      return await world.sluice.item(items[0] as ItemId);
    };

    test("get their shares of new requests, the same for the same key, and all of it goes back at once", async () => {
      const { versions } = world.sluice;
      expect(await versions.set("rolled", { 1: 50, 2: 50 }, { by: "ann", note: "half" })).toEqual({ ok: true });
      const spread = new Map<string, number>();
      for (const key of KEYS) spread.set(key, (await submitted(key)).version);
      expect(new Set(spread.values())).toEqual(new Set([1, 2]));
      await world.until(async () => (await versions.compare("rolled")).every(({ live }) => live === 0));
      for (const [key, version] of spread) expect((await submitted(key)).version).toBe(version);
      await versions.set("rolled", { 1: 100, 2: 0 });
      for (const key of KEYS) expect((await submitted(`${key} later`)).version).toBe(1);
      expect(await versions.list("rolled")).toMatchObject([
        { version: 1, share: 100, held: "no", stages: ["roll"] },
        { version: 2, share: 0, held: "no" },
      ]);
      await world.until(async () => {
        const figures = await versions.compare("rolled", { items: 100 });
        return figures.every(
          ({ live, done, failureRate, took }) => live === 0 && done > 0 && failureRate === 0 && took,
        );
      });
      expect(await versions.orphans()).toEqual([]);
    });

    test("hold what one of them has in flight, until it is released", async () => {
      const { sluice } = world;
      expect(await sluice.versions.hold("rolled", 2, { note: "rolled back", by: "ann" })).toEqual({ ok: true });
      await world.until(async () => (await sluice.versions.list("rolled"))[1]?.held === "held");
      const held = await sluice.submit(two, [{}]);
      const free = await sluice.submit(one, [{}]);
      await world.finished(free);
      const { reason, sentence } = await sluice.explain(held.items[0] as ItemId);
      expect(reason).toBe("held");
      expect(sentence).toContain("rolled back");
      expect(await sluice.versions.release("rolled", 2)).toEqual({ ok: true });
      expect(await world.finished(held)).toMatchObject({ ok: true });
    });
  });
}
