// What the feed's own doors tell: where it ends now, and whether somebody holds it back.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done } from "../../../src/engine/index.ts";
import type { World } from "../world.ts";

export function describeFeed(world: World): void {
  describe("the feed", () => {
    const short = definePipeline("feed-short", { version: 1, input: z.object({}) }).stage("only", {
      run: () => done(),
    });
    world.use(short);

    test("from its end on shows only what happens afterwards", async () => {
      const before = await world.sluice.submit(short, [{}]);
      await world.finished(before);
      // Whoever has a transaction open elsewhere keeps the end where it is until then.
      await world.until(async () => !(await world.sluice.feedLag()).isHeldBack);
      const after = await world.sluice.feedEnd();
      const next = await world.sluice.submit(short, [{}]);
      await world.finished(next);
      const seen: (string | null)[] = [];
      for await (const event of world.sluice.feed({ after })) {
        if (event.item === undefined) continue;
        if (event.request === before.request || event.request === next.request) seen.push(event.request);
        if (event.request === next.request && event.type === "item.completed") break;
      }
      expect(new Set(seen)).toEqual(new Set([next.request]));
    });

    test("says that nobody holds it back", async () => {
      await world.until(async () => !(await world.sluice.feedLag()).isHeldBack);
      expect(await world.sluice.feedLag()).toMatchObject({ ms: expect.any(Number), isHeldBack: false });
    });
  });
}
