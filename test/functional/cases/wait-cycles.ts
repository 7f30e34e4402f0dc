// Items that wait for each other would be stuck for ever.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { again, child, definePipeline, done, type ItemId, spawn, wait } from "../../../src/engine/index.ts";
import type { World } from "../world.ts";

export function describeWaitCycles(world: World): void {
  describe("a circle of waits", () => {
    /** Whom each item waits for; one that has nobody yet comes back later. */
    const leaders = new Map<ItemId, ItemId>();
    let latest: "1s" | undefined;
    const circle = definePipeline("circle", { version: 1, input: z.object({}) }).stage("follow", {
      run: ({ item, because }) => {
        if (because.signal !== undefined) return done(because.signal);
        const leader = leaders.get(item.id);
        if (leader === undefined) return again("200ms");
        return wait("leader", { item: leader, ...(latest === undefined ? {} : { again: latest }) });
      },
    });
    const baby = definePipeline("circle-baby", { version: 1, input: z.object({ parent: z.string() }) }).stage("cling", {
      run: ({ input }) => wait("parent", { item: input.parent }),
    });
    const parent = definePipeline("circle-parent", { version: 1, input: z.object({}) }).stage("spawn", {
      run: ({ item, because }) =>
        because.children === undefined ? spawn([child(baby, { parent: item.id })]) : done(because.children),
    });
    world.use(circle, baby, parent);

    const link = (items: readonly ItemId[]) => {
      for (const [index, item] of items.entries()) leaders.set(item, items[(index + 1) % items.length] as ItemId);
    };

    test.each([2, 3, 5])("of %i items fails the one that closes it, which frees the others", async (count) => {
      const request = await world.sluice.submit(circle, Array(count).fill({}));
      link(request.items);
      const { items } = await world.finished(request);
      const failed = items.filter((item) => item.state === "failed");
      expect(failed).toMatchObject([{ code: "WAIT_CYCLE" }]);
      for (const item of request.items) expect(failed[0]?.message).toContain(item);
      expect(items.filter((item) => item.state === "done")).toHaveLength(count - 1);
    });

    test("is none while somebody in it looks again by himself", async () => {
      latest = "1s";
      const request = await world.sluice.submit(circle, [{}, {}]);
      link(request.items);
      const [first, second] = request.items as [ItemId, ItemId];
      const waiting = async (item: ItemId) => (await world.sluice.item(item)).reason === "leader";
      await world.until(async () => (await waiting(first)) && (await waiting(second)));
      await world.sluice.cancel(first);
      expect((await world.finished(request)).items).toMatchObject([{ state: "cancelled" }, { state: "done" }]);
      latest = undefined;
    });

    test("between a child and the parent that waits for it fails the child", async () => {
      const { items } = await world.finished(await world.sluice.submit(parent, [{}]));
      expect(items).toMatchObject([{ state: "done", output: [{ state: "failed" }] }]);
      expect(
        await world.rows("select 1 as found from sluice.journal where code = 'WAIT_CYCLE' and message like '%itm_%'"),
      ).not.toEqual([]);
    });

    test("that two have closed at the same moment is found afterwards", async () => {
      const bystander = await world.sluice.submit(circle, [{}], { delay: "10h" });
      const request = await world.sluice.submit(circle, [{}, {}]);
      const [first, second] = request.items as [ItemId, ItemId];
      for (const item of request.items) leaders.set(item, bystander.items[0] as ItemId);
      const waiting = async (item: ItemId) => (await world.sluice.item(item)).reason === "leader";
      await world.until(async () => (await waiting(first)) && (await waiting(second)));
      link(request.items);
      // As it stands when neither saw the other's row.
      await world.rows(
        `update sluice.waiter w set key = other.run_id::text from sluice.waiter other
         where w.kind = 'item' and other.kind = 'item' and w.key = other.key and w.run_id <> other.run_id`,
      );
      const { items } = await world.finished(request);
      expect(items).toMatchObject([{ state: "done" }, { state: "failed", code: "WAIT_CYCLE" }]);
      await world.sluice.cancel(bystander.request);
    });
  });
}
