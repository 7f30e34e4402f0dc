// How long things are kept, and removing what belongs to an entity.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, type RequestHandle, wait } from "../../../src/engine/index.ts";
import { parseId } from "../../../src/kit/index.ts";
import type { World } from "../world.ts";

export function describeRemoving(world: World): void {
  describe("what is kept", () => {
    const posters = definePipeline("posters", {
      version: 1,
      input: z.object({ waits: z.boolean() }),
      keep: { done: "1d" },
    }).stage("print", { run: ({ input: { waits } }) => (waits ? wait("ink", { signal: "ink" }) : done()) });
    world.use(posters);
    const submitted = async (waits: boolean, key?: string) =>
      await world.sluice.submit(posters, [{ waits }], key === undefined ? {} : { key });
    const isThere = async ({ request }: RequestHandle) =>
      await world.sluice.request(request).then(
        () => true,
        (error: { code?: string }) => {
          expect(error.code).toBe("NOT_FOUND");
          return false;
        },
      );

    test("removing a request cancels it and leaves nothing, if and when the caller's transaction commits", async () => {
      const live = await submitted(true);
      const item = live.items[0] as ItemId;
      await world.until(async () => (await world.sluice.item(item)).state === "waiting");
      const error = new Error("changed my mind");
      const undone = world.inClient(async (tx) => {
        expect(await world.sluice.remove(live.request, { tx })).toEqual({ ok: true });
        throw error;
      });
      await expect(undone).rejects.toBe(error);
      expect((await world.sluice.request(live.request)).removal).toBeNull();
      await world.inClient((tx) => world.sluice.remove(live.request, { tx, by: "ann" }));
      await world.until(async () => !(await isThere(live)));
      await expect(world.sluice.item(item)).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await world.rows("select from sluice.journal where item_id = $1", [parseId("item", item)])).toEqual([]);
      expect(await world.sluice.remove(live.request)).toMatchObject({ ok: false });
    });

    test("removing under a key takes all of it, and frees the key", async () => {
      const first = await submitted(false, "alien");
      await world.finished(first);
      const second = await submitted(true, "alien");
      const target = { pipeline: "posters", key: "alien" };
      expect(await world.inKysely((tx) => world.sluice.remove(target, { tx }))).toEqual({ ok: true });
      const third = await submitted(false, "alien");
      expect(third.joined).toBe(false);
      await world.until(async () => !(await isThere(first)) && !(await isThere(second)));
      expect(await world.finished(third)).toMatchObject({ ok: true });
    });

    test("status says for how long and how much, preview what would go, and that is what goes", async () => {
      const { retention } = world.sluice;
      const old = await submitted(false);
      await world.finished(old);
      const status = await retention.status();
      expect(status.tables.map((table) => table.name)).toEqual(expect.arrayContaining(["item", "journal", "request"]));
      expect(status.pipelines).toContainEqual(
        expect.objectContaining({ name: "posters", version: 1, done: 86_400_000 }),
      );
      expect(status.oldestRequest).toBeInstanceOf(Date);
      expect(await retention.preview()).toMatchObject({ requests: 0, isMore: false, items: [] });
      const id = parseId("request", old.request);
      await world.rows("update sluice.request set created_at = created_at - interval '2 days' where id = $1", [id]);
      await world.rows("update sluice.item set finished_at = finished_at - interval '2 days' where request_id = $1", [
        id,
      ]);
      expect(await retention.preview()).toMatchObject({
        requests: 1,
        items: [{ pipeline: "posters", version: 1, state: "done", items: 1 }],
      });
      // From the beginning: after a whole round it rests for an hour.
      await world.rows("delete from sluice.setting where name = 'retention-walk'");
      await world.chores();
      await world.until(async () => !(await isThere(old)));
      expect((await retention.status()).lastRun).toBeInstanceOf(Date);
    });
  });
}
