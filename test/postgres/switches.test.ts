// A stage switched off and on under load, with two workers on a real server: what begins, what is lost, what a flip costs.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Queryable } from "../../src/engine/db/database.ts";
import { openSluice } from "../../src/engine/open.ts";
import { Switches } from "../../src/engine/operate/switches.ts";
import { done } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import { Registry } from "../../src/engine/workers/registry.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { query } from "./fixtures/drive.ts";
import { type EngineDatabase, engineDatabase } from "./fixtures/engine-database.ts";

// A proof asks for a hundred thousand items and a hundred flips; what is checked is the same.
const ITEMS = Number(process.env.SLUICE_FLIPPED ?? 2_000);
const FLIPS = Number(process.env.SLUICE_FLIPS ?? 10);
/** Submitted in the middle of each pause, so that something always arrives at the closed stage. */
const MEANWHILE = 20;
const VISIT_MS = 20;
const input = z.object({ n: z.number() });

/** Everything the stage was asked to do, and who waits for how much of it. */
class Counted {
  readonly seen: number[] = [];
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  add(n: number): void {
    this.seen.push(n);
    for (const one of this.#waiting) if (this.seen.length >= one.count) one.resolve();
    this.#waiting = this.#waiting.filter((one) => this.seen.length < one.count);
  }

  reaching(count: number): Promise<void> {
    if (this.seen.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }
}

describe(`a stage switched off and on ${FLIPS} times while ${ITEMS} items pass it`, () => {
  const written = new Counted();
  const sent = new Counted();
  const letters = definePipeline("letters", { version: 1, input })
    .stage("write", {
      run: ({ input }) => {
        written.add(input.n);
        return done();
      },
    })
    .stage("send", {
      run: async ({ input }) => {
        sent.add(input.n);
        await new Promise((resolve) => setTimeout(resolve, VISIT_MS));
        return done();
      },
    });
  const scope = { pipeline: "letters", stage: "send" };
  let server: TestServer;
  let workers: Sluice[] = [];

  beforeAll(async () => {
    server = await startServer();
    const common = { pipelines: [letters], database: server.url() };
    workers = [
      await openSluice({ ...common, worker: { name: "one", concurrency: 25 } }),
      await openSluice({ ...common, worker: { name: "two", concurrency: 25 } }),
    ];
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await server.stop();
  });

  it(
    "begins nothing once every worker has acknowledged it, and loses nothing",
    async () => {
      const [one, two] = workers as [Sluice, Sluice];
      let submitted = 0;
      const submit = async (count: number) => {
        const inputs = Array.from({ length: count }, (_, index) => ({ n: submitted + index }));
        submitted += count;
        for (let from = 0; from < count; from += 10_000) await one.submit(letters, inputs.slice(from, from + 10_000));
      };
      await submit(ITEMS);
      for (let flip = 0; flip < FLIPS; flip += 1) {
        await sent.reaching(Math.floor((ITEMS * (flip + 1)) / (2 * FLIPS)));
        const actor = flip % 2 === 0 ? one : two;
        await actor.switches.off(scope);
        const state = async () => (await two.switches.list())[0]?.state;
        await expect.poll(state, { timeout: 30_000, interval: 20 }).toBe("off");
        const begun = sent.seen.length;
        expect(begun, "there is something left to hold").toBeLessThan(submitted);
        await submit(MEANWHILE);
        await written.reaching(submitted);
        expect(sent.seen.length, `begun although flip ${flip} was acknowledged`).toBe(begun);
        await actor.switches.on(scope);
      }
      await sent.reaching(submitted);
      const counts = async () =>
        (
          await query<{ done: number }>(server.url(), "select count(*)::int as done from sluice.item where state = 1")
        )[0];
      await expect.poll(counts, { timeout: 60_000, interval: 100 }).toEqual({ done: submitted });
      expect(new Set(sent.seen).size).toBe(submitted);
      expect(sent.seen.length, "nothing was begun twice").toBe(submitted);
      const [row] = await query<{ flips: number; valves: number }>(
        server.url(),
        `select (select count(*)::int from sluice.journal where kind = 30) as flips,
          (select count(*)::int from sluice.valve) as valves`,
      );
      expect(row).toEqual({ flips: 2 * FLIPS, valves: 1 });
    },
    60_000 + FLIPS * 15_000,
  );
});

describe(`a switch over ${ITEMS} items`, () => {
  let engine: EngineDatabase;

  beforeAll(async () => {
    engine = await engineDatabase();
    const one = definePipeline("letters", { version: 1, input }).stage("send", { run: () => done() });
    const [place] = (await Registry.register(engine.db, [one])).lanes();
    await engine.rows(
      `insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state)
       select n, 1, now(), now(), 0, ${place?.lane}, 0, 3, 0 from generate_series(1, ${ITEMS}) n`,
    );
  });
  afterAll(() => engine.stop());

  /** What a transaction has done to our tables so far, as the server counts it. */
  const touched = async (tx: Queryable) => {
    const text = `select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as written,
      coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) filter (where relname = 'run'), 0)::int as read
      from pg_stat_xact_user_tables where schemaname = 'sluice'`;
    const [row] = await tx.query<{ written: number; read: number }>({ name: "touched", text }, []);
    return row as { written: number; read: number };
  };

  it("writes at most five rows a flip, and looks at none of the items", async () => {
    for (const flip of ["off", "on", "off", "on"] as const) {
      const cost = await engine.db.transaction(async (tx) => {
        // What the session did before may not have been handed in yet, and is counted with it.
        const before = await touched(tx);
        await new Switches(tx, () => undefined)[flip]({ pipeline: "letters", stage: "send" });
        const after = await touched(tx);
        return { written: after.written - before.written, read: after.read - before.read };
      });
      expect(cost.written).toBeGreaterThan(0);
      expect(cost.written).toBeLessThanOrEqual(5);
      expect(cost.read).toBe(0);
    }
  });
});
