// The promise of an explanation: it says "queued" exactly for what the claim would take, and for nothing else.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Explanation } from "../../src/engine/explain/explanation.ts";
import { type ClaimedRow, type ClaimPlace, claim, claimCapped } from "../../src/engine/items/claim.sql.ts";
import { claimFair } from "../../src/engine/items/claim-fair.sql.ts";
import { claimFromService } from "../../src/engine/items/claim-service.sql.ts";
import type { VisitResult } from "../../src/engine/items/standing.ts";
import { setValve } from "../../src/engine/operate/valve.sql.ts";
import { permanent, transient, unavailable } from "../../src/engine/pipeline/fault.ts";
import { again, ask, child, done, spawn, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { explainItem } from "../../src/engine/read/explain-item.ts";
import { type CallEnd, judge } from "../../src/engine/services/breaker.ts";
import { healthOf, readServices, registerService, saveService } from "../../src/engine/services/service.sql.ts";
import { openPglite, type PgliteDatabase } from "../../src/engine/testing/pglite.ts";
import { hold } from "../../src/engine/workers/held.ts";
import type { Place } from "../../src/engine/workers/registry.ts";
import { byPriority } from "../../src/engine/workers/turns.ts";
import { leaveWorker } from "../../src/engine/workers/worker-row.sql.ts";
import { formatId, type Random, seededRandom } from "../../src/kit/index.ts";
import { listedOtherwise } from "../support/listed.ts";
import { type SmallWorld, smallWorld } from "../support/small-world.ts";

const input = z.unknown();
const run = () => done();
const open = definePipeline("open", { version: 1, input }).stage("first", { run }).stage("second", { run });
const narrow = definePipeline("narrow", { version: 1, input }).stage("only", { run, concurrency: 2 });
const keyed = definePipeline("keyed", { version: 1, input, fair: true }).stage("only", { run, perKey: 1 });
const orphan = definePipeline("orphan", { version: 1, input }).stage("only", { run });
const limits = { capacity: 1, limit: "4/h" };
const api = service("api", limits);
const served = definePipeline("served", { version: 1, input }).stage("call", { run, uses: api });
const far = definePipeline("far", { version: 1, input }).stage("call", { run, uses: service("far") });
const pipelines = [open, narrow, keyed, orphan, served, far];

let db: PgliteDatabase;
let world: SmallWorld;

beforeAll(async () => {
  db = await openPglite();
  world = await smallWorld(db, pipelines);
  // Nobody who lives has the code of the orphan; somebody who left had it.
  await world.worker("1", [open, narrow, keyed, served, far], ["api"]);
  for (const { name, rules } of [api, service("far")]) await registerService(db, name, rules);
  await world.worker("9", [orphan]);
  await leaveWorker(db, "9");
});
afterAll(() => db.close());

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;

const results: readonly VisitResult[] = [
  { outcome: done() },
  { outcome: done({ some: "output" }) },
  { outcome: again("1h") },
  { outcome: again(0) },
  { outcome: wait("not_available", { again: "6h" }) },
  { outcome: wait("payment", { signal: "paid" }) },
  { outcome: ask("Which?", { options: ["a", "b"] }) },
  { outcome: spawn([child(open, null)]) },
  { fault: transient("RESET", "connection reset") },
  { fault: unavailable("DOWN", "connection refused") },
  { fault: unavailable("BUSY", "too many", { retryAfter: "10m" }) },
  { fault: unavailable("DISK_FULL", "no space") },
  { fault: permanent("BAD", "no video in it") },
];

async function explainAll(): Promise<Map<string, Explanation>> {
  const found = new Map<string, Explanation>();
  const rows = await db.query<{ id: string }>(
    {
      name: "all",
      text: "(select id from sluice.item where state = 0) union all (select id from sluice.item where state <> 0 order by id desc limit 2)",
    },
    [],
  );
  for (const { id } of rows) found.set(id, await explainItem(db, world.stagesOf, formatId("item", id)));
  return found;
}

const asked = (place: Place): ClaimPlace[] =>
  [1, 2, 3, 4, 5].map((priority) => ({
    ...{ lane: place.lane, priority, floor: 0 },
    ...(place.pipeline.fair ? { after: "0" } : {}),
  }));

/** Claims all that worker 1 may have, lane by lane as it would. */
async function claimAll(): Promise<ClaimedRow[]> {
  const mine = world.registry.lanes().filter((place) => place.pipeline.name !== "orphan" && place.service === "");
  const rows = await claimFromService(db, "api", asked(world.registry.placesOf(served)?.[0] as Place), 1_000, "1");
  for (const place of mine) {
    const { concurrency, perKey } = place.stage;
    if (perKey !== undefined) rows.push(...(await claimCapped(db, asked(place), 1_000, "1", byPriority(claimFair))));
    else if (concurrency !== undefined) rows.push(...(await claimCapped(db, asked(place), 1_000, "1")));
    else rows.push(...(await claim(db, asked(place), 1_000, "1")));
  }
  return rows;
}

const laneOf = async (): Promise<Map<string, number>> => {
  const rows = await db.query<{ id: string; lane: number }>(
    { name: "lanes", text: "select id, lane from sluice.run" },
    [],
  );
  return new Map(rows.map((row) => [row.id, row.lane]));
};

/** In its turn: well, out of its rate, asking us to wait, ramping, down. */
async function disturbApi(round: number): Promise<void> {
  const now = "(extract(epoch from sluice.now()) * 1000)::float8";
  const states = [
    "grants = '[]', is_open = false, probe_at = null, busy_until = null, ramp = null, ramp_left = null",
    `grants = jsonb_build_array(jsonb_build_array(${now} - 1, 4))`,
    "grants = '[]', busy_until = sluice.now() + interval '1 minute'",
    "busy_until = sluice.now(), ramp = 1, ramp_left = 1",
  ];
  await db.query(
    { name: "disturb", text: `update sluice.service set ${states[round % 5] ?? states[0]} where name = 'api'` },
    [],
  );
  if (round % 5 !== 4) return;
  const [row] = await readServices(db, ["api"]);
  const failed = ["7", "8", "9", "7", "8"].map(
    (item, at): CallEnd => ({ at, item, verdict: "failure", era: row?.changed_at ?? 0 }),
  );
  if (row !== undefined) await saveService(db, row, judge(healthOf(row), failed, api.rules, row.now));
}

describe("what is explained and what is claimed", () => {
  it("agree in every round of a long disorder", async () => {
    const random = seededRandom(5);
    const reasons = new Set<string>();
    let settled = 0;
    const left: ClaimedRow[] = [];
    const cappedLane = world.registry.placesOf(narrow)?.[0]?.lane;
    const keyedLane = world.registry.placesOf(keyed)?.[0]?.lane;
    const servedLane = world.registry.placesOf(served)?.[0]?.lane;
    for (let round = 0; round < 20; round += 1) {
      // Nobody takes an orphan, so one round of them is enough to look at.
      for (const pipeline of round === 0
        ? pipelines
        : [open, narrow, served, ...(round % 3 === 0 ? [keyed] : [served])]) {
        const delayMs = pick(random, [0, 0, 3_600_000]);
        await world.submit(pipeline, 1 + Math.floor(random.fraction() * 2), {
          delayMs,
          priority: pick(random, [1, 3, 5]),
          ...(pipeline === keyed ? { fairness: pick(random, ["a", "b", "c"]) } : {}),
        });
      }
      const kind = ["switch", "pause", "hold"][round % 3] as string;
      const scope = pick(random, [
        { pipeline: "open", stage: "second" },
        { pipeline: "narrow" },
        { pipeline: "open", version: 1 },
      ]);
      await db.query({ name: "open", text: "update sluice.valve set closed = false" }, []);
      await disturbApi(round);
      if (round % 2 === 1) await setValve(db, { kind, scope, closed: true, note: null, actor: "ann" });
      // Time passes for some.
      if (random.fraction() < 0.3) {
        await db.query(
          {
            name: "due",
            text: "update sluice.run set ready_at = sluice.now() where state = 0 and ready_at < 'infinity'",
          },
          [],
        );
      }

      // What comes due in a moment would do so between the two questions.
      await db.query(
        {
          name: "soon",
          text: "update sluice.run set ready_at = sluice.now() where ready_at between sluice.now() and sluice.now() + interval '1 second'",
        },
        [],
      );

      const told = await explainAll();
      const waiting = [...told].filter(([, { state }]) => ["queued", "waiting", "needs-you"].includes(state));
      expect(await listedOtherwise(db, new Map(waiting))).toEqual([]);
      for (const { reason, sentence } of told.values()) {
        reasons.add(reason);
        expect(reason, sentence).not.toBe("unknown");
      }
      const lanes = await laneOf();
      const queued = [...told].filter(([, { reason }]) => reason === "queued").map(([id]) => id);
      const rows = await claimAll();
      const few = [cappedLane, servedLane, keyedLane];
      const isNarrow = (id: string) => few.includes(lanes.get(id));
      const claimed = rows.map((row) => row.id);
      const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => Number(a) - Number(b));
      expect(sorted(claimed.filter((id) => !isNarrow(id)))).toEqual(sorted(queued.filter((id) => !isNarrow(id))));
      // Of a lane with few places somebody in line is taken exactly when a place is free; the others stay in line.
      for (const lane of few) {
        const narrowQueued = queued.filter((id) => lanes.get(id) === lane);
        const narrowClaimed = claimed.filter((id) => lanes.get(id) === lane);
        expect(narrowClaimed.every((id) => narrowQueued.includes(id))).toBe(true);
        expect(narrowClaimed.length > 0).toBe(narrowQueued.length > 0);
      }

      for (const row of [...left.splice(0), ...rows]) {
        if (random.fraction() < (isNarrow(row.id) ? 0.7 : 0.2)) {
          left.push(row); // still running in the next round
          continue;
        }
        const place = world.registry.place(row.lane, row.stage) as Place;
        await world.settle(hold(row, place, 0), "1", results[settled % results.length] as VisitResult);
        settled += 1;
      }
    }
    // Every reason that can come about here did, so the agreement is not about nothing.
    const expected = [
      "again",
      "at_capacity",
      "backoff",
      "capped",
      "children",
      "disk_low",
      "done",
      "failed",
      "held",
      "key_capped",
      "no_worker",
      "not_available",
    ];
    expected.push(
      "paused",
      "payment",
      "question",
      "queued",
      "ramping",
      "rate_limited",
      "running",
      "scheduled",
      "service_down",
      "stage_off",
    );
    expect([...reasons].sort()).toEqual(expected);
  }, 120_000);

  it("counts who is ahead in the order of the claim", async () => {
    await db.query({ name: "clear", text: "delete from sluice.run" }, []);
    await db.query({ name: "open", text: "update sluice.valve set closed = false" }, []);
    const low = await world.submit(open, 1, { priority: 5 });
    const usual = await world.submit(open, 2, { priority: 3 });
    await world.submit(open, 5, { priority: 1, delayMs: 60_000 }); // better, but not due
    const best = await world.submit(open, 1, { priority: 1 });
    const sentence = async (id: string | undefined) => (await explainItem(db, world.stagesOf, id ?? "")).sentence;
    expect(await sentence(best.items[0])).toContain("next in line");
    expect(await sentence(usual.items[0])).toContain("1 is ahead");
    expect(await sentence(usual.items[1])).toContain("2 are ahead");
    expect(await sentence(low.items[0])).toContain("3 are ahead");
    const rows = await claim(
      db,
      [1, 2, 3, 4, 5].flatMap((priority) => world.registry.lanes().map(({ lane }) => ({ lane, priority, floor: 0 }))),
      10,
      "1",
    );
    expect(rows).toHaveLength(4);
  });
});
