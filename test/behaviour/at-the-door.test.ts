// An item that is handed in where there is a worker with room is handed over to it by the statement that stores it.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Database } from "../../src/engine/db/database.ts";
import { definePipeline, done } from "../../src/engine/index.ts";
import { Sluice } from "../../src/engine/sluice.ts";
import { openPglite, type PgliteDatabase } from "../../src/engine/testing/pglite.ts";
import { VirtualClock } from "../../src/engine/testing/virtual-clock.ts";
import { inlineHeart } from "../../src/engine/workers/heart.ts";
import { inlineSuspects } from "../../src/engine/workers/suspects.ts";
import { markDead } from "../../src/engine/workers/worker-row.sql.ts";
import { type Logger, seededRandom, silentLogger } from "../../src/kit/index.ts";

const close: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0).reverse()) await one();
});

const turns = async (count = 30) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Keeps the answer of what is handed over back, or loses it. */
class Door {
  readonly claimed: string[] = [];
  readonly handedOver: string[] = [];
  #waiting: (() => void)[] = [];
  mode: "open" | "slow" | "loses" = "open";

  around(db: Database): Database {
    return {
      query: async <Row>(statement: { name: string; text: string }, values: readonly unknown[]) => {
        const rows = await db.query<Row>(statement, values);
        const ids = (rows as { id?: string; held?: boolean }[]).filter(({ held }) => held !== false);
        if (statement.name.startsWith("claim")) this.claimed.push(...ids.map(({ id }) => String(id)));
        if (!statement.name.endsWith("-at-hand")) return rows;
        this.handedOver.push(...ids.map(({ id }) => String(id)));
        if (this.mode === "slow") await new Promise<void>((resolve) => this.#waiting.push(resolve));
        if (this.mode === "loses") throw Object.assign(new Error("connection reset"), { code: "ECONNRESET" });
        return rows;
      },
      transaction: (work) => db.transaction(work),
      listen: (channel, listener) => db.listen(channel, listener),
      close: () => db.close(),
    };
  }

  answer(): void {
    for (const one of this.#waiting.splice(0)) one();
  }
}

async function opened(concurrency = 10) {
  const db: PgliteDatabase = await openPglite();
  close.push(() => db.close());
  const clock = await VirtualClock.over(db, new Date("2030-01-01T00:00:00Z"));
  const door = new Door();
  const visits: number[] = [];
  let inHand = 0;
  let most = 0;
  let letGo = Promise.resolve();
  const pipeline = definePipeline("letters", { version: 1, input: z.object({ n: z.number() }) }).stage("write", {
    async run({ input }) {
      visits.push(input.n);
      inHand += 1;
      most = Math.max(most, inHand);
      await letGo;
      inHand -= 1;
      return done();
    },
  });
  const warnings: string[] = [];
  const log: Logger = { ...silentLogger, warn: (event) => void warnings.push(event) };
  const ports = { db: door.around(db), clock, random: seededRandom(1), log, notify: false };
  const worker = {
    identity: { name: "test", host: "test", pid: 1, pidStarted: "0" },
    heart: (listener: Parameters<typeof inlineHeart>[1]["listener"]) => inlineHeart(db, { ...ports, listener }),
    isGone: () => false,
    suspects: inlineSuspects(),
    concurrency,
    ...{ pollMs: 1_000, deadAfterMs: 8_000, graceMs: 0 },
  };
  const sluice = await Sluice.start({ ...ports, worker }, [pipeline]);
  close.push(() => sluice.close());
  await turns();
  const submit = (n: number) => sluice.submit(pipeline, [{ n }]);
  const rows = async <Row>(text: string) => await db.query<Row>({ name: "look", text }, []);
  const ended = async () =>
    (await rows<{ n: number }>("select count(*)::int as n from sluice.item where state = 1"))[0]?.n;
  const hold = () => {
    let release = () => {};
    letGo = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  /** As long as it takes for everything that is due by then. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await clock.jump(1_000);
      await turns();
    }
  };
  return { db, door, visits, warnings, sluice, submit, rows, ended, hold, pass, most: () => most };
}

describe("an item that is handed in where it can be worked on", () => {
  it("is begun without a claim, and ends as any other", async () => {
    const { door, submit, visits, ended } = await opened();
    await submit(1);
    await turns();
    expect([visits, door.claimed, door.handedOver.length]).toEqual([[1], [], 1]);
    expect(await ended()).toBe(1);
  });

  it("queues beyond what there is room for, and nothing is visited twice", async () => {
    const { door, submit, visits, ended, hold, most, pass } = await opened(2);
    const release = hold();
    const numbers = Array.from({ length: 10 }, (_, n) => n);
    await Promise.all(numbers.map((n) => submit(n)));
    await turns();
    expect([visits.length, most()]).toEqual([2, 2]);
    release();
    await pass(3_000);
    expect(visits.toSorted((a, b) => a - b)).toEqual(numbers);
    expect([await ended(), most()]).toEqual([10, 2]);
    expect(door.handedOver.length).toBeGreaterThan(0);
  });

  it("is found where the answer was lost, and visited once", async () => {
    const { door, submit, visits, ended, pass, warnings } = await opened();
    door.mode = "loses";
    await expect(submit(1)).rejects.toThrow("connection reset");
    door.mode = "open";
    expect([visits, door.handedOver.length]).toEqual([[], 1]);
    await pass(7_000);
    expect([visits, await ended(), warnings]).toEqual([[1], 1, ["items.stray"]]);
  });

  it("is no stray while the answer is on its way", async () => {
    const { door, submit, visits, ended, pass, warnings, rows } = await opened();
    door.mode = "slow";
    const submitted = submit(1);
    await turns();
    await pass(7_000);
    door.mode = "open";
    door.answer();
    await submitted;
    await pass(2_000);
    expect([visits, await ended(), warnings]).toEqual([[1], 1, []]);
    expect(await rows("select kind from sluice.journal where item_id is not null order by version")).toHaveLength(2);
  });

  it("is handed back, unharmed, where the worker stopped before the answer came", async () => {
    const { door, sluice, submit, visits, rows } = await opened();
    door.mode = "slow";
    const submitted = submit(1);
    await turns();
    let isClosed = false;
    const closed = sluice.close().then(() => {
      isClosed = true;
    });
    await turns();
    expect(isClosed).toBe(false);
    door.answer();
    await Promise.all([submitted, closed]);
    const runs = await rows("select state, attempts, suspicion from sluice.run");
    expect([visits, runs]).toEqual([[], [{ state: 0, attempts: 0, suspicion: 0 }]]);
  });

  it("is not begun in a life that followed, and comes back as what the former one held", async () => {
    const { db, door, submit, visits, ended, rows, pass, warnings } = await opened();
    door.mode = "slow";
    const submitted = submit(1);
    await turns();
    const [former] = await rows<{ epoch: string; beat: string }>("select epoch, beat from sluice.worker");
    expect(await markDead(db, former?.epoch ?? "", former?.beat ?? "")).toBe(true);
    await pass(4_000);
    door.mode = "open";
    door.answer();
    await submitted;
    await pass(4_000);
    expect(warnings).toContain("worker.presumed-dead");
    expect([visits, await ended()]).toEqual([[1], 1]);
  });
});
