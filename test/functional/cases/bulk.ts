// One action on many items, as an operation that goes on whoever started it.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Action,
  type BulkFilter,
  definePipeline,
  done,
  type ItemId,
  type OperationId,
  permanent,
} from "../../../src/engine/index.ts";
import { doorway, type World } from "../world.ts";

export function describeBulk(world: World): void {
  describe("bulk", () => {
    let isFixed = false;
    let isAsked = false;
    const door = doorway();
    const loaves = definePipeline("loaves", {
      version: 1,
      input: z.object({ guarded: z.boolean() }),
      retry: async ({ input, by }) => {
        if (by === "held") {
          isAsked = true;
          await door.pass();
        }
        return input.guarded ? "it is guarded" : undefined;
      },
    }).stage("bake", {
      run: () => {
        if (isFixed) return done();
        throw permanent("BURNT", "black");
      },
    });
    world.use(loaves);

    const over = async (id: OperationId) => {
      await world.until(async () => (await world.sluice.bulk.get(id)).state !== "running");
      return await world.sluice.bulk.get(id);
    };

    test("does what its preview said, and says of each item what came of it", async () => {
      const { bulk } = world.sluice;
      const request = await world.sluice.submit(loaves, [{ guarded: false }, { guarded: false }, { guarded: true }]);
      await world.finished(request);
      const filter = { pipeline: "loaves", stage: "bake", state: "failed", code: "BURNT", newerThan: "1h" } as const;
      expect(await bulk.preview({ type: "retry" }, filter)).toMatchObject({
        matched: 3,
        would: 2,
        examples: request.items.slice(0, 2),
        refused: { "it is guarded": 1 },
      });
      isFixed = true;
      const id = await bulk.start({ type: "retry" }, filter, { by: "ann", key: "loaves-1" });
      expect(await bulk.start({ type: "retry" }, filter, { key: "loaves-1" })).toBe(id);
      expect(await over(id)).toMatchObject({
        state: "finished",
        by: "ann",
        total: 3,
        progress: 100,
        counts: { done: 2, refused: 1, failed: 0, stopped: 0, open: 0 },
      });
      await world.finished(request);
      const results = await bulk.results(id);
      expect(results.map(({ item, outcome, reason }) => [item, outcome, reason])).toEqual([
        [request.items[0], "done", null],
        [request.items[1], "done", null],
        [request.items[2], "refused", "it is guarded"],
      ]);
      expect(await bulk.results(id, { outcome: "refused", after: request.items[0] as ItemId, limit: 5 })).toHaveLength(
        1,
      );
      expect((await bulk.list({ limit: 1 })).map((one) => one.id)).toEqual([id]);
      isFixed = false;
    });

    test("of every kind, by what items have in common", async () => {
      const { bulk } = world.sluice;
      const request = await world.sluice.submit(loaves, Array(4).fill({ guarded: false }), {
        delay: "1h",
        owner: "baker",
      });
      const [first, second, third, fourth] = request.items as [ItemId, ItemId, ItemId, ItemId];
      // Of different items, because they are done in any order.
      const asked: [BulkFilter, Action, number][] = [
        [{ ids: [fourth], reason: "scheduled" }, { type: "take-back" }, 0],
        [{ owner: "baker", ids: [fourth] }, { type: "set-priority", priority: 1 }, 1],
        [{ pipeline: "loaves", version: 1, stage: "bake", owner: "baker" }, { type: "run-once" }, 0],
        [{ ids: [first] }, { type: "skip", reason: "sold out" }, 1],
        [{ ids: [second] }, { type: "replay", from: "bake", as: "copy" }, 1],
        [{ ids: [third] }, { type: "replay", from: "bake", as: "same" }, 1],
      ];
      const operations = await Promise.all(asked.map(([filter, action]) => bulk.start(action, filter)));
      for (const [index, id] of operations.entries()) {
        expect((await over(id)).counts).toMatchObject({ done: asked[index]?.[2], failed: 0, open: 0 });
      }
      const cancel = await bulk.start({ type: "cancel" }, { request: request.request, olderThan: 0 });
      expect((await over(cancel)).counts).toMatchObject({ failed: 0, open: 0 });
      await world.finished(request);
    });

    test("is stopped: what has not begun is left alone, and marked so", async () => {
      const request = await world.sluice.submit(loaves, Array(3).fill({ guarded: false }));
      await world.finished(request);
      const id = await world.sluice.bulk.start({ type: "retry" }, { request: request.request }, { by: "held" });
      // A worker has asked the pipeline whether it may, and waits for the answer.
      await world.until(() => isAsked);
      expect(await world.sluice.bulk.stop(id, { by: "ann" })).toEqual({ ok: true });
      expect(await world.sluice.bulk.stop(id)).toMatchObject({ ok: false });
      door.open();
      expect(await world.sluice.bulk.get(id)).toMatchObject({
        state: "stopped",
        counts: { done: 0, stopped: 3, open: 0 },
      });
      expect((await world.sluice.bulk.results(id)).map((one) => one.outcome)).toEqual(Array(3).fill("stopped"));
      expect(await world.sluice.request(request.request)).toMatchObject({ status: "FAILED" });
    });
  });
}
