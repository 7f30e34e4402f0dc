// Closing with a visit in hand that does not end by itself.

import { expect, test } from "vitest";
import { z } from "zod";
import type { Database } from "../../src/engine/db/database.ts";
import { definePipeline, done } from "../../src/engine/index.ts";
import { Sluice } from "../../src/engine/sluice.ts";
import { openPglite } from "../../src/engine/testing/pglite.ts";
import { inlineHeart } from "../../src/engine/workers/heart.ts";
import { inlineSuspects } from "../../src/engine/workers/suspects.ts";
import { seededRandom, silentLogger, systemClock } from "../../src/kit/index.ts";

/** Opens an engine with one item, whose visit does not end by itself, and closes it with that in hand. */
async function closeBusy(given: (db: Database) => Database = (db) => db) {
  let entered = () => {};
  const begun = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const slow = definePipeline("slow", { version: 1, input: z.object({}) }).stage("wait", {
    async run({ signal }) {
      entered();
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return done();
    },
  });
  const db = await openPglite();
  // The machine's own clock: nobody is left to move another one on while it closes.
  const ports = { db: given(db), clock: systemClock, random: seededRandom(1), log: silentLogger, notify: false };
  const worker = {
    identity: { name: "test", host: "test", pid: 1, pidStarted: "0" },
    heart: (listener: Parameters<typeof inlineHeart>[1]["listener"]) => inlineHeart(db, { ...ports, listener }),
    isGone: () => false,
    suspects: inlineSuspects(),
    concurrency: 10,
    pollMs: 1_000,
    deadAfterMs: 8_000,
    graceMs: 0,
  };
  const sluice = await Sluice.start({ ...ports, worker }, [slow]);
  await sluice.submit(slow, [{}]);
  await begun;
  await sluice.close();
  const runs = await db.query({ name: "look", text: "select state, attempts, suspicion from sluice.run" }, []);
  const text = "select kind from sluice.journal where item_id is not null";
  const journal = await db.query({ name: "look", text }, []);
  await db.close();
  return { runs, journal };
}

const handedBack = { runs: [{ state: 0, attempts: 0, suspicion: 0 }], journal: [{ kind: 0 }] };

test("a visit that outlasts the grace is handed back: its abort is no fault, and spends no attempt", async () => {
  expect(await closeBusy()).toEqual(handedBack);
});

test("closing goes on when the others cannot be told that this worker leaves", async () => {
  const untold: string[] = [];
  const result = await closeBusy((db) => ({
    query: async (statement, values) => {
      if (!["leave-watches", "worker-leave"].includes(statement.name)) return await db.query(statement, values);
      untold.push(statement.name);
      throw new Error("the database is away");
    },
    transaction: (work) => db.transaction(work),
    listen: (channel, listener) => db.listen(channel, listener),
    close: () => db.close(),
  }));
  expect(untold).toEqual(["leave-watches", "worker-leave"]);
  expect(result).toEqual(handedBack);
});
