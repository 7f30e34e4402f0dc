// Keys that take turns, and how many of one key may be in a stage.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done } from "../../../src/engine/index.ts";
import type { World } from "../world.ts";

export function describeTurns(world: World): void {
  describe("a pipeline that is fair", () => {
    const begun: string[] = [];
    const shared = definePipeline("fair", { version: 1, input: z.object({ of: z.string() }), fair: true }).stage(
      "work",
      {
        // One at a time, so that the order of claims is the order of visits.
        concurrency: 1,
        run: ({ input: { of } }) => {
          begun.push(of);
          return done();
        },
      },
    );
    let inside = 0;
    let most = 0;
    const limited = definePipeline("limited", { version: 1, input: z.object({}), fair: true }).stage("work", {
      perKey: 2,
      run: async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inside -= 1;
        return done();
      },
    });
    world.use(shared, limited);

    test("gives everybody a turn, however much somebody else has queued before", async () => {
      await world.sluice.pause({ pipeline: "fair" });
      const large = await world.sluice.submit(shared, Array(7).fill({ of: "large" }), { fairness: "large" });
      const small = await world.sluice.submit(shared, Array(3).fill({ of: "small" }), { owner: "small" });
      await world.sluice.resume({ pipeline: "fair" });
      for (const request of [large, small]) await world.finished(request);
      expect(begun).toHaveLength(10);
      expect(begun.lastIndexOf("small")).toBeLessThanOrEqual(6);
    });

    test("has no more of one key in a stage than its limit", async () => {
      const request = await world.sluice.submit(limited, Array(5).fill({}), { fairness: "one" });
      expect(await world.finished(request)).toMatchObject({ ok: true });
      expect(most).toBe(2);
    });
  });
}
