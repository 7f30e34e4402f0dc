// Items that make other items: fan-out with a join, and work that merely joins the request.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { child, definePipeline, done, type ItemId, permanent, spawn } from "../../../src/engine/index.ts";
import { doorway, type World } from "../world.ts";

export function describeChildren(world: World): void {
  describe("spawn", () => {
    const part = definePipeline("part", { version: 1, input: z.object({ n: z.int(), unit: z.string().default("s") }) })
      .stage("work", {
        run: ({ input }) => {
          if (input.n === 0) throw permanent("EMPTY", "nothing to do");
          return done();
        },
      })
      .stage("end", { run: ({ input, item }) => done({ twice: input.n * 2, unit: input.unit, owner: item.owner }) });
    const whole = definePipeline("whole", { version: 1, input: z.object({ parts: z.array(z.int()) }) })
      .stage("fan", {
        run: ({ input, because }) =>
          because.children === undefined
            ? spawn(input.parts.map((n) => child(part, { n })))
            : done({ ended: because.children.map(({ state, output }) => ({ state, output })) }),
      })
      .stage("after", { run: ({ out, because }) => done({ ...out.fan, because }) });

    test("waits until all children have ended, and finds their results in order", async () => {
      const request = await world.sluice.submit(whole, [{ parts: [1, 0, 3] }], { owner: "ann" });
      expect((await world.finished(request)).items[0]?.output).toEqual({
        ended: [
          { state: "done", output: { twice: 2, unit: "s", owner: "ann" } },
          { state: "failed", output: null },
          { state: "done", output: { twice: 6, unit: "s", owner: "ann" } },
        ],
        because: {},
      });
      expect(await world.sluice.request(request.request)).toMatchObject({ counts: { total: 1, completed: 1 } });
    });

    const wrong = definePipeline("wrong-child", { version: 1, input: z.object({ kind: z.string() }) }).stage("fan", {
      run: ({ input }) => {
        if (input.kind === "input")
          return spawn([child(part, { n: 1 }), child(part, { n: "two" as unknown as number })]);
        if (input.kind === "none") return spawn([]);
        if (input.kind === "many") return spawn(Array.from({ length: 10_001 }, (_, n) => child(part, { n })));
        return spawn([child({ ...part, name: "unheard-of" }, { n: 1 })]);
      },
    });

    test("checks each child's input as if it had been submitted; a bad one is a bug of the stage and makes none", async () => {
      const before = await world.rows("select count(*) from sluice.item");
      const request = await world.sluice.submit(wrong, [
        { kind: "input" },
        { kind: "none" },
        { kind: "pipeline" },
        { kind: "many" },
      ]);
      const { items } = await world.finished(request);
      expect(items.map((item) => `${item.state} ${item.code}`)).toEqual(Array(4).fill("failed BUG"));
      expect(items[0]?.message).toContain("children[1].input.n");
      expect(items[2]?.message).toContain("unheard-of@1");
      const after = await world.rows("select count(*) - 4 as count from sluice.item");
      expect(after).toEqual(before);
    });

    const door = doorway();
    const lasting = definePipeline("lasting", { version: 1, input: z.object({}) }).stage("hang", {
      run: async ({ signal }) => {
        await door.pass(signal);
        return done();
      },
    });
    const parent = definePipeline("parent", { version: 1, input: z.object({ children: z.int() }) }).stage("fan", {
      run: ({ input, because }) =>
        because.children === undefined
          ? spawn(Array.from({ length: input.children }, () => child(lasting, {})))
          : done(),
    });

    test("a parent that is cancelled takes its children with it, all of them", async () => {
      const request = await world.sluice.submit(parent, [{ children: 600 }]);
      await door.reached;
      await world.until(async () => (await world.sluice.item(request.items[0] as ItemId)).reason === "children");
      expect(await world.sluice.cancel(request.items[0] as ItemId)).toEqual({ ok: true });
      const states = await world.rows(
        "select i.state, count(*)::int from sluice.item i join sluice.request q on q.id = i.request_id where q.parent_id is not null and i.pipeline_id = (select id from sluice.pipeline where name = 'lasting') group by 1",
      );
      expect(states).toEqual([{ state: 3, count: 600 }]);
      expect((await world.finished(request)).items).toMatchObject([{ state: "cancelled" }]);
    });

    world.use(part, whole, wrong, lasting, parent);
  });

  describe("done with spawn", () => {
    const extra = definePipeline("extra", { version: 1, input: z.object({ of: z.string() }) }).stage("work", {
      run: ({ input }) => done({ of: input.of }),
    });
    const series = definePipeline("series", { version: 1, input: z.object({ title: z.string() }) }).stage("list", {
      run: ({ input }) =>
        done(
          { episodes: 2 },
          { spawn: [child(extra, { of: `${input.title} 1` }), child(extra, { of: `${input.title} 2` })] },
        ),
    });

    test("goes on at once; the new items belong to the request, which is over when they are", async () => {
      const request = await world.sluice.submit(series, [{ title: "Dark" }]);
      const { items } = await world.finished(request);
      expect(items.map((item) => item.output)).toEqual([{ episodes: 2 }, { of: "Dark 1" }, { of: "Dark 2" }]);
      expect(await world.sluice.request(request.request)).toMatchObject({
        status: "COMPLETED",
        counts: { total: 3, completed: 3 },
      });
    });

    test("keeps the request's key taken until they have ended", async () => {
      await world.sluice.pause({ pipeline: "extra" });
      const request = await world.sluice.submit(series, [{ title: "Dark" }], { key: "tv:dark" });
      await world.until(async () => (await world.sluice.request(request.request)).counts.completed === 1);
      const again = await world.sluice.submit(series, [{ title: "Dark" }], { key: "tv:dark" });
      expect(again).toMatchObject({ joined: true, request: request.request });
      await world.sluice.resume({ pipeline: "extra" });
      await world.finished(request);
      const anew = await world.sluice.submit(series, [{ title: "Dark" }], { key: "tv:dark" });
      expect(anew.joined).toBe(false);
      await world.finished(anew);
    });

    world.use(extra, series);
  });
}
