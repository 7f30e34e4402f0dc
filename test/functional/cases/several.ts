// Several Sluices on one database: they share the work, the limits, and what one leaves behind.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, openSluice, permanent, type Sluice } from "../../../src/engine/index.ts";
import { doorway, type ServerWorld, story } from "../world.ts";

const worker = (name: string, concurrency = 100) => ({ name, concurrency, poll: 20, grace: 0 });
const nothing = z.object({});

async function closing<T>(sluices: Sluice[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    for (const sluice of sluices) await sluice.close();
  }
}

export function describeSeveral(world: ServerWorld): void {
  describe("two Sluices on one database", () => {
    test("settle a request of 2,000 items between them, each item once, and the counts are exact", async () => {
      const shared = definePipeline("shared", { version: 1, input: z.object({ n: z.int() }) })
        .stage("one", { run: () => done() })
        .stage("two", {
          run: ({ input }) => {
            if (input.n % 10 === 0) throw permanent("TENTH", "every tenth");
            return done();
          },
        });
      const ann = await world.another({ pipelines: [shared], worker: worker("ann", 50) });
      const bob = await world.another({ pipelines: [shared], worker: worker("bob", 50) });
      await closing([ann, bob], async () => {
        const request = await ann.submit(
          shared,
          Array.from({ length: 2_000 }, (_, n) => ({ n })),
        );
        const result = await world.finished(request);
        expect(result.items).toHaveLength(2_000);
        expect(await ann.request(request.request)).toMatchObject({
          status: "PARTIAL",
          counts: { total: 2_000, completed: 1_800, failed: 200, cancelled: 0 },
        });
        const ended = await world.rows(
          `select w.name, count(*)::int > 0 as some from sluice.journal j join sluice.worker w on w.epoch = j.epoch
           join sluice.item i on i.id = j.item_id where i.id = any ($1::bigint[]) and j.ended <> 0 group by 1 order by 1`,
          [
            (
              await world.rows<{ id: string }>(
                "select i.id from sluice.item i join sluice.pipeline p on p.id = i.pipeline_id where p.name = 'shared'",
              )
            ).map((row) => row.id),
          ],
        );
        expect(ended).toEqual([
          { name: "ann", some: true },
          { name: "bob", some: true },
        ]);
        const twice = await world.rows(
          "select item_id from sluice.journal where stage is not null group by item_id, stage having count(*) filter (where kind in (1, 8)) > 1 and item_id in (select i.id from sluice.item i join sluice.pipeline p on p.id = i.pipeline_id where p.name = 'shared')",
        );
        expect(twice).toEqual([]);
      });
    });

    test("never have more items in a stage than its concurrency, both together", async () => {
      let inside = 0;
      let most = 0;
      const capped = definePipeline("capped", { version: 1, input: nothing })
        .stage("free", { run: () => done() })
        .stage("narrow", {
          concurrency: 3,
          run: async () => {
            inside += 1;
            most = Math.max(most, inside);
            await new Promise((resolve) => setTimeout(resolve, 5));
            inside -= 1;
            return done();
          },
        });
      const pair = await Promise.all(
        ["ann", "bob"].map((name) => world.another({ pipelines: [capped], worker: worker(name) })),
      );
      await closing(pair, async () => {
        const request = await (pair[0] as Sluice).submit(capped, Array(60).fill({}));
        await world.finished(request);
        expect(most).toBe(3);
      });
    });
  });

  describe("close", () => {
    test("hands back what is being visited, without an attempt, and another Sluice goes on", async () => {
      const door = doorway();
      const aborted: unknown[] = [];
      const attempts: number[] = [];
      const long = definePipeline("long", { version: 1, input: nothing }).stage("work", {
        run: async ({ signal, attempt, checkpoint }) => {
          attempts.push(attempt);
          if (attempts.length > 1) return done({ from: checkpoint.value });
          await checkpoint.save("half");
          await door.pass(signal).catch((reason: unknown) => {
            aborted.push(reason);
            throw reason;
          });
          return done({ from: "nobody" });
        },
      });
      const first = await world.another({ pipelines: [long], worker: worker("first") });
      const request = await first.submit(long, [{}]);
      await door.reached;
      await first.close();
      await first.close();
      expect(aborted).toMatchObject([{ code: "STOPPING" }]);
      const second = await world.another({ pipelines: [long], worker: worker("second") });
      await closing([second], async () => {
        const { items } = await second.result(request.request);
        expect(items).toMatchObject([{ state: "done", output: { from: "half" } }]);
        expect(attempts).toEqual([1, 1]);
        expect(await story(second, request.items[0])).toEqual(["work accepted", "work done"]);
      });
    });

    test("waits for visits as long as its grace lasts", async () => {
      const door = doorway();
      const long = definePipeline("graceful", { version: 1, input: nothing }).stage("work", {
        run: async () => {
          await door.pass();
          return done();
        },
      });
      const sluice = await world.another({ pipelines: [long], worker: { ...worker("graceful"), grace: "20s" } });
      const request = await sluice.submit(long, [{}]);
      await door.reached;
      const closed = sluice.close();
      door.open();
      await closed;
      expect(await world.sluice.result(request.request)).toMatchObject({ ok: true });
    });

    test("tells whoever still waits for a result", async () => {
      const idle = definePipeline("idle", { version: 1, input: nothing }).stage("work", { run: () => done() });
      const sluice = await world.another({ pipelines: [idle], worker: false });
      const request = await sluice.submit(idle, [{}], { delay: "1h" });
      const result = expect(request.result()).rejects.toMatchObject({ code: "CLOSED" });
      await sluice.close();
      await result;
    });
  });

  describe("versions of a pipeline", () => {
    const input = nothing;
    const one = definePipeline("versioned", { version: 1, input }).stage("old", { run: () => done({ version: 1 }) });
    const two = definePipeline("versioned", { version: 2, input })
      .stage("old", { run: () => done() })
      .stage("new", { run: () => done({ version: 2 }) });

    test("run side by side; an item stays on the one it was submitted to", async () => {
      const both = await world.another({ pipelines: [one, two], worker: worker("both") });
      await closing([both], async () => {
        const requests = [await both.submit(one, [{}]), await both.submit(two, [{}])];
        const outputs = [];
        for (const request of requests) outputs.push((await world.finished(request)).items[0]?.output);
        expect(outputs).toEqual([{ version: 1 }, { version: 2 }]);
      });
    });

    test("are only run by those who have them; without one an item says so", async () => {
      const old = await world.another({ pipelines: [one, two], worker: false });
      const onlyTwo = await world.another({ pipelines: [two], worker: worker("only two") });
      await closing([old, onlyTwo], async () => {
        const request = await old.submit(one, [{}]);
        const newer = await old.submit(two, [{}]);
        await world.finished(newer);
        expect(await onlyTwo.explain(request.items[0] as ItemId)).toMatchObject({ reason: "no_worker" });
        await old.cancel(request.request);
      });
    });

    test("refuse to start with other stages under the same number, and name them", async () => {
      const changed = definePipeline("versioned", { version: 2, input })
        .stage("old", { run: () => done() })
        .stage("newer", { run: () => done() });
      const error = await world.another({ pipelines: [changed] }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "SHAPE_CHANGED" });
      expect(String(error)).toContain("old → new and now has old → newer");
    });
  });

  describe("the first start", () => {
    test("of several at once on an empty database: the schema is made once, and all of them work", async () => {
      const first = definePipeline("first", { version: 1, input: nothing }).stage("work", { run: () => done() });
      const address = await world.freshDatabase("empty");
      const sluices = await Promise.all(
        Array.from({ length: 4 }, (_, n) => openSluice({ pipelines: [first], worker: worker(`w${n}`), ...address })),
      );
      await closing([...sluices], async () => {
        const requests = await Promise.all(sluices.map((sluice) => sluice.submit(first, [{}])));
        for (const request of requests) expect(await world.finished(request)).toMatchObject({ ok: true });
      });
    });
  });

  describe("a key taken in two transactions at once", () => {
    test("the second waits for the first, and joins it with nothing of its own", async () => {
      const keyed = definePipeline("tx-keyed", { version: 1, input: nothing }).stage("work", { run: () => done() });
      const sluice = await world.another({ pipelines: [keyed], worker: false });
      await closing([sluice], async () => {
        const options = { key: "both", delay: "1h" } as const;
        const taken = doorway();
        const first = world.inClient(async (tx) => {
          const request = await sluice.submit(keyed, [{}], { ...options, tx });
          await taken.pass();
          return request;
        });
        await taken.reached;
        const second = world.inClient((tx) => sluice.submit(keyed, [{}, {}], { ...options, tx }));
        await world.until(async () => {
          const waiting = await world.rows("select 1 from pg_locks where not granted");
          return waiting.length > 0;
        });
        taken.open();
        const [one, two] = await Promise.all([first, second]);
        expect(two).toMatchObject({ joined: true, request: one.request });
        expect(await world.rows("select total from sluice.request where key = 'both'")).toEqual([{ total: 1 }]);
      });
    });

    test("a client that has not begun a transaction is refused", async () => {
      const keyed = definePipeline("tx-none", { version: 1, input: nothing }).stage("work", { run: () => done() });
      const sluice = await world.another({ pipelines: [keyed], worker: false });
      await closing([sluice], async () => {
        const pool = {
          query: ({ text, values }: { text: string; values: unknown[] }) =>
            world.rows(text, values).then((rows) => ({ rows })),
        };
        await expect(sluice.submit(keyed, [{}], { tx: pool })).rejects.toMatchObject({
          code: "INVALID_INPUT",
          field: "tx",
        });
      });
    });
  });
}
