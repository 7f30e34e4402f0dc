// What is handed over to another process is told with a letter, which says what a claim would have answered with.

import { afterAll, beforeAll, expect, it } from "vitest";
import { claim } from "../items/claim.sql.ts";
import { release } from "../items/lease.sql.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { readLetter } from "../workers/letter.ts";
import { CHANNEL } from "../workers/notify.sql.ts";
import { registerLane, registerPipeline } from "../workers/registry.sql.ts";
import { beat, enterWorker } from "../workers/worker-row.sql.ts";
import type { FewItem } from "./few.sql.ts";
import { insertAfar } from "./few-afar.sql.ts";

const EPOCH = "7001";
const letters: string[] = [];
let db: PgliteDatabase;
let item: FewItem;
beforeAll(async () => {
  db = await openPglite();
  const { id: pipeline } = await registerPipeline(db, "letters", 1, { shape: "s", stages: ["write"] });
  const free = { stage: 0, service: "", cap: null, perKey: null, isEntry: true, takesCapacity: true };
  const { id: lane } = await registerLane(db, pipeline, free);
  await enterWorker(db, { name: "anna", host: "here", pid: 1, pidStarted: "1" }, EPOCH, [pipeline]);
  await db.listen(CHANNEL, { wake: (letter) => void letters.push(letter), lost: () => undefined });
  const plain = { nonce: "-9007199254740993", priority: 3, delayMs: 0, owner: null, fairness: null, input: "{}" };
  item = { pipeline, lane, total: 1, ...plain };
});
afterAll(() => db.close());

/** A lane that is new moves the valves, so it hears of them first. */
async function invite(items: number): Promise<void> {
  const generation = (await beat(db, EPOCH, "0", null)) ?? "0";
  await beat(db, EPOCH, generation, null, { items, lanes: [item.lane] });
}

it("says what a claim would have answered with, of all of them", async () => {
  await invite(2);
  const told = { owner: 'an"n', fairness: "f", trace: "00-1", input: '{"b":1e3,"a":["é"],"b2":null}' };
  const rows = await insertAfar(db, [{ ...item, ...told }, { ...item }]);
  expect(rows.map(({ epoch }) => epoch)).toEqual([EPOCH, EPOCH]);
  const letter = readLetter(letters.splice(0).join());
  expect(letter?.epoch).toBe(EPOCH);
  const held = rows.map(({ id }) => ({ id, version: 1 }));
  expect(await release(db, held, EPOCH)).toHaveLength(2);
  const places = [{ lane: item.lane, priority: 3, floor: 0 }];
  const claimed = await claim(db, places, 2, EPOCH);
  // When it became ready is for those who claim, and each claim raises the version.
  expect(letter?.rows.map((row) => ({ ...row, ready: 0 }))).toEqual(
    claimed.map((row) => ({ ...row, ready: 0, version: 1 })),
  );
  await db.pglite.query("update sluice.run set state = 1, epoch = 1 where state <> 1");
});

it("goes to nobody where it would be too long for a notification", async () => {
  for (const [length, isGiven] of [
    [7_700, true],
    [8_200, false],
    [60_000, false],
  ] as const) {
    await invite(1);
    const [row] = await insertAfar(db, [{ ...item, input: JSON.stringify({ text: "x".repeat(length) }) }]);
    expect(row?.epoch, String(length)).toBe(isGiven ? EPOCH : null);
    expect(letters.splice(0).map((letter) => letter === "")).toEqual([!isGiven]);
    if (!isGiven) await db.pglite.query("update sluice.run set state = 1, epoch = 1 where state = 0");
  }
});

it("what grows when it is stored is counted as it is sent", async () => {
  await invite(1);
  const numbers = JSON.stringify(Array.from({ length: 100 }, () => 1e300));
  const [row] = await insertAfar(db, [{ ...item, input: numbers }]);
  expect([row?.epoch, letters.splice(0)]).toEqual([null, [""]]);
});
