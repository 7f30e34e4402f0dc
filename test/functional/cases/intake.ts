// How work enters, in which order it is done, and what a request says about its items.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, permanent, type RequestHandle } from "../../../src/engine/index.ts";
import { doorway, type World } from "../world.ts";

class Changed extends Error {}

export function describeIntake(world: World): void {
  const plain = definePipeline("plain", { version: 1, input: z.object({ n: z.number() }) })
    .stage("work", {
      run: ({ input }) => {
        if (input.n < 0) throw permanent("NEGATIVE", "below zero");
        return done({ n: input.n });
      },
    })
    .stage("end", { run: ({ out }) => done({ twice: out.work.n * 2 }) });
  world.use(plain);

  describe("a submission in the caller's transaction", () => {
    test("of a pg client appears with its commit, together with what else it wrote", async () => {
      await world.rows("create table ledger (note text)");
      const request = await world.inClient(async (tx) => {
        await tx.query({ text: "insert into ledger values ($1)", values: ["bought"] });
        return await world.sluice.submit(plain, [{ n: 1 }], { tx, key: "tx:1" });
      });
      expect(await world.finished(request)).toMatchObject({ ok: true });
      expect(await world.rows("select note from ledger")).toEqual([{ note: "bought" }]);
    });

    test("of Kysely likewise", async () => {
      const request = await world.inKysely((tx) => world.sluice.submit(plain, [{ n: 1 }, { n: 2 }], { tx }));
      expect((await world.finished(request)).items).toMatchObject([{ output: { twice: 2 } }, { output: { twice: 4 } }]);
    });

    test("leaves nothing when it is rolled back", async () => {
      const counts =
        "select (select count(*) from sluice.item) as items, (select count(*) from sluice.unique_key) as keys";
      const before = await world.rows(counts);
      const changeMind = async (tx: Parameters<Parameters<World["inClient"]>[0]>[0]) => {
        await world.sluice.submit(plain, [{ n: 1 }], { tx, key: "tx:never" });
        throw new Changed();
      };
      await expect(world.inClient(changeMind)).rejects.toThrow(Changed);
      await expect(
        world.inKysely(async (tx) => {
          await world.sluice.submit(plain, [{ n: 1 }], { tx });
          throw new Changed();
        }),
      ).rejects.toThrow(Changed);
      expect(await world.rows(counts)).toEqual(before);
    });

    test("that is refused leaves the transaction usable", async () => {
      const request = await world.inKysely(async (tx) => {
        await expect(world.sluice.submit(plain, [{ n: "x" as never }], { tx })).rejects.toMatchObject({
          field: "items[0].n",
        });
        await sql`select 1`.execute(tx);
        return await world.sluice.submit(plain, [{ n: 3 }], { tx });
      });
      expect((await world.finished(request)).ok).toBe(true);
    });
  });

  describe("the order of work", () => {
    const door = doorway();
    const order: string[] = [];
    const queue = definePipeline("queue", { version: 1, input: z.object({ name: z.string() }) }).stage("one", {
      concurrency: 1,
      run: async ({ input }) => {
        if (input.name === "blocker") await door.pass();
        order.push(input.name);
        return done();
      },
    });
    world.use(queue);

    test("is by priority, then by age", async () => {
      const requests = [await world.sluice.submit(queue, [{ name: "blocker" }])];
      await door.reached;
      for (const [name, priority] of [
        ["e", 5],
        ["c1", 3],
        ["a", 1],
        ["c2", 3],
        ["d", 4],
        ["b", 2],
      ] as const) {
        requests.push(await world.sluice.submit(queue, [{ name }], { priority }));
      }
      door.open();
      for (const request of requests) await world.finished(request);
      expect(order).toEqual(["blocker", "a", "b", "c1", "c2", "d", "e"]);
    });
  });

  describe("a delayed start", () => {
    test("shows when it will begin, and does not begin sooner", async () => {
      const request = await world.sluice.submit(plain, [{ n: 1 }], { delay: 300 });
      const id = request.items[0] as ItemId;
      expect(await world.sluice.item(id)).toMatchObject({ state: "waiting", reason: "scheduled", stage: "work" });
      expect(await world.sluice.request(request.request)).toMatchObject({ status: "PENDING" });
      await world.finished(request);
      const [accepted, first] = (await world.sluice.history(id)).entries;
      const waited = (first?.ended.getTime() ?? 0) - (accepted?.ended.getTime() ?? 0);
      expect(waited).toBeGreaterThanOrEqual(300);
    });
  });

  describe("a request", () => {
    test("rolls up how its items ended, exactly", async () => {
      const inputs = Array.from({ length: 300 }, (_, n) => ({ n: n % 3 === 0 ? -1 : n }));
      const request = await world.sluice.submit(plain, inputs, { owner: "ann" });
      const result = await world.finished(request);
      expect(result.ok).toBe(false);
      expect(result.items.map((item) => item.id)).toEqual(request.items);
      expect(result.items[0]).toEqual({
        id: request.items[0],
        state: "failed",
        output: undefined,
        code: "NEGATIVE",
        message: "below zero",
      });
      expect(result.items[1]).toMatchObject({ state: "done", output: { twice: 2 }, code: null });
      expect(await world.sluice.request(request.request)).toMatchObject({
        status: "PARTIAL",
        owners: ["ann"],
        counts: { total: 300, completed: 200, partly: 0, failed: 100, cancelled: 0 },
      });
    });

    test.each([
      ["COMPLETED", [1, 2]],
      ["FAILED", [-1, -2]],
    ])("is %s when all its items are", async (status, given) => {
      const request = await world.sluice.submit(
        plain,
        given.map((n) => ({ n })),
      );
      await world.finished(request);
      expect(await world.sluice.request(request.request)).toMatchObject({ status });
    });

    test("that is over answers at once, whoever asks and however late", async () => {
      const request = await world.sluice.submit(plain, [{ n: 1 }]);
      const first = await world.finished(request);
      expect(await world.finished({ result: () => world.sluice.result(request.request) })).toEqual(first);
    });

    test("that nobody made is not waited for", async () => {
      await expect(world.sluice.result("req_0000000zzzzzz" as RequestHandle["request"])).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    test("need not be waited for to the end", async () => {
      const request = await world.sluice.submit(plain, [{ n: 1 }], { delay: "1h" });
      const enough = new AbortController();
      const result = request.result({ signal: enough.signal });
      enough.abort(new Changed());
      await expect(result).rejects.toThrow(Changed);
      await expect(request.result({ signal: enough.signal })).rejects.toThrow(Changed);
      await world.sluice.cancel(request.request);
    });
  });
}
