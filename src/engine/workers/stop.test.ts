import { expect, test } from "vitest";
import { z } from "zod";
import { seededRandom, silentLogger, systemClock } from "../../kit/index.ts";
import { definePipeline, done } from "../index.ts";
import { Sluice } from "../sluice.ts";
import { openPglite } from "../testing/pglite.ts";
import { inlineHeart } from "./heart.ts";
import { inlineSuspects } from "./suspects.ts";

test("a visit that outlasts the grace is handed back: its abort is no fault, and spends no attempt", async () => {
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
  const ports = { db, clock: systemClock, random: seededRandom(1), log: silentLogger, notify: false };
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
  expect(runs).toEqual([{ state: 0, attempts: 0, suspicion: 0 }]);
  const journal = await db.query(
    { name: "look", text: "select kind from sluice.journal where item_id is not null" },
    [],
  );
  expect(journal).toEqual([{ kind: 0 }]);
  await db.close();
});
