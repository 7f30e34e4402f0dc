// A stage's own writes, in the transaction that says "done".

import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, transient } from "../../../src/engine/index.ts";
import { doorway, story, type World } from "../world.ts";

export function describeCommits(world: World): void {
  describe("a stage's commit", () => {
    const insert = {
      name: "film-insert",
      text: "insert into film (item, title) select * from unnest($1::text[], $2::text[])",
    };
    const title = z.object({ title: z.string() });
    let calls = 0;
    const catalogue = definePipeline("catalogue", { version: 1, input: title })
      .stage("store", {
        attempts: 2,
        backoff: { base: 10, cap: 10, jitter: 0 },
        run: ({ input }) => done({ upper: input.title.toUpperCase() }),
        commit: async (tx, items) => {
          calls += 1;
          await tx.query(insert, [items.map((one) => one.item), items.map((one) => one.output.upper)]);
          if (items.some((one) => one.input.title === "thrower")) throw new Error("the catalogue says no");
          if (items.some((one) => one.input.title === "once") && calls < 2) throw transient("LATER", "not now");
        },
      })
      .stage("rest", { run: () => done() });
    world.use(catalogue);

    const titles = async () =>
      (await world.rows<{ title: string }>("select title from film order by title")).map((row) => row.title);

    beforeAll(async () => {
      await world.rows("create table film (item text not null, title text not null unique check (title <> 'POISON'))");
    });

    test("appears together with the stage's output", async () => {
      const request = await world.sluice.submit(catalogue, [{ title: "Alien" }]);
      await world.finished(request);
      expect(await world.rows("select item, title from film")).toEqual([{ item: request.items[0], title: "ALIEN" }]);
    });

    test("of a bad item fails that item; its neighbours do not notice", async () => {
      const given = ["a", "b", "c", "poison", "d", "e", "alien"];
      const request = await world.sluice.submit(
        catalogue,
        given.map((one) => ({ title: one })),
      );
      const { items } = await world.finished(request);
      expect(items.map((item) => item.state)).toEqual(["done", "done", "done", "failed", "done", "done", "failed"]);
      expect(items[3]).toMatchObject({ code: "UNSTORABLE" });
      expect(items[3]?.message).toContain("film_title_check");
      expect(await titles()).toEqual(["A", "ALIEN", "B", "C", "D", "E"]);
    });

    test("that throws leaves nothing behind, and is judged like anything else the stage throws", async () => {
      const request = await world.sluice.submit(catalogue, [{ title: "thrower" }, { title: "f" }]);
      const { items } = await world.finished(request);
      expect(items).toMatchObject([
        { state: "failed", code: "UNKNOWN", message: "the catalogue says no" },
        { state: "done" },
      ]);
      expect(await titles()).not.toContain("THROWER");
      calls = 0;
      const later = await world.sluice.submit(catalogue, [{ title: "once" }]);
      expect((await world.finished(later)).items).toMatchObject([{ state: "done", code: null }]);
      expect(await story(world.sluice, later.items[0])).toEqual([
        "store accepted",
        "store fault LATER",
        "store done",
        "rest done",
      ]);
    });

    const door = doorway();
    const held = definePipeline("held-commit", { version: 1, input: title }).stage("store", {
      run: async ({ input }) => {
        await door.pass();
        return done(input);
      },
      commit: async (tx, items) => {
        await tx.query(insert, [items.map((one) => one.item), items.map((one) => one.output.title)]);
      },
    });
    world.use(held);

    test("does not happen for an item that was cancelled meanwhile; the refusal is recorded", async () => {
      const request = await world.sluice.submit(held, [{ title: "too late" }]);
      const id = request.items[0] as ItemId;
      await door.reached;
      expect(await world.sluice.cancel(id)).toEqual({ ok: true });
      door.open();
      await world.until(async () => (await story(world.sluice, id)).includes("store refused"));
      expect(await titles()).not.toContain("too late");
      expect(await world.sluice.item(id)).toMatchObject({ state: "cancelled" });
    });
  });
}
