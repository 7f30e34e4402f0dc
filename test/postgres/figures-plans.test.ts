// Figures, estimates, what is stuck, the doctor and the tally go by index, and look at no more pages with more rows.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/engine/db/database.ts";
import { findFacts } from "../../src/engine/explain/explain.sql.ts";
import { examine } from "../../src/engine/read/doctor.ts";
import { findStays, findWays, lastOfRequest } from "../../src/engine/read/estimate.sql.ts";
import { newestFailures } from "../../src/engine/read/failures.sql.ts";
import { readFigures } from "../../src/engine/read/figures.ts";
import { IN_ORDER } from "../../src/engine/read/in-order.sql.ts";
import { heldRuns, liveDetails } from "../../src/engine/read/live.sql.ts";
import { readRequestFigures } from "../../src/engine/read/request-figures.ts";
import { serviceAffects, serviceCalls, serviceErrors, serviceTurns } from "../../src/engine/read/service-detail.sql.ts";
import { behindServices, ownStanding, pipelinesTook } from "../../src/engine/read/standing.sql.ts";
import { stayedOf } from "../../src/engine/read/stays.sql.ts";
import { stuckSuspects } from "../../src/engine/read/stuck.sql.ts";
import { readTrends } from "../../src/engine/read/trends.ts";
import { findWorkers } from "../../src/engine/read/workers.sql.ts";
import { readForTally } from "../../src/engine/workers/tally.sql.ts";
import { type BigDatabase, buffersOf, load, openBig, startBigServer } from "../scale/database.ts";
import { wholeTables } from "../scale/whole-reads.ts";
import type { TestServer } from "../support/server.ts";

const ROWS = Number(process.env.FIGURES_ROWS ?? 60_000);
/** 80 MB: ten thousand rows counted in each of a few lanes, none of them beside another. */
const PAGES_MOST = 60_000;

let server: TestServer;
let big: BigDatabase;

beforeAll(async () => {
  server = await startBigServer();
  big = await openBig(server, "figures");
  const ready = "sluice.now() - interval '2 hours' + n * interval '1 microsecond'";
  await load(big, { count: ROWS, lane: big.lanes[0], readyAt: ready });
  await load(big, { count: ROWS, lane: big.lanes[0], readyAt: "sluice.now() + n * interval '1 second'" });
  await load(big, { count: ROWS, lane: big.lanes[1], readyAt: ready });
  await load(big, { count: 2_000, lane: big.lanes[0], readyAt: ready, state: 1 });
  await big.client.query(`
    insert into sluice.journal (at, item_id, request_id, version, kind, to_stage, series)
    select sluice.now(), id, request_id, 0, 0, 0, 1 from sluice.item`);
  await big.client.query("update sluice.item set owner = 'mia' where id % 3 = 0");
  await big.client.query("analyze");
}, 300_000);

afterAll(async () => {
  await big?.close();
  await server?.stop();
});

const asked: Record<string, (db: Queryable) => Promise<unknown>> = {
  figures: (db) => readFigures(db),
  "what is being worked on": async (db) => {
    await heldRuns(db, 10_000);
    await liveDetails(db, ["7", "8", "9"]);
  },
  "what is stuck": (db) => stuckSuspects(db, 100),
  "what of one owner is stuck": (db) => stuckSuspects(db, 100, "mia"),
  "how pipelines fare": (db) => pipelinesTook(db),
  "how one owner's items fare": (db) => ownStanding(db, "mia"),
  "how it went": (db) => readTrends(db, { range: "30d" }),
  "how one owner's items went": (db) => readTrends(db, { range: "30d", owner: "mia" }),
  "who stands behind services": (db) => behindServices(db),
  "one service": async (db) => {
    await serviceErrors(db, "shop", 20);
    await serviceTurns(db, "shop", 50);
    await serviceAffects(db, "shop");
    await serviceCalls(db, "shop");
  },
  "who works": (db) => findWorkers(db, 200),
  "how requests stand": async (db) => {
    // For the whole session here, because it is no transaction.
    await big.client.query(IN_ORDER.text.replaceAll("true", "false"));
    await readRequestFigures(db);
    await big.client.query("reset enable_bitmapscan; reset enable_seqscan");
  },
  "what failed": async (db) => {
    await big.client.query(IN_ORDER.text.replaceAll("true", "false"));
    await newestFailures(db, null, undefined);
    await newestFailures(db, null, "mia");
    await big.client.query("reset enable_bitmapscan; reset enable_seqscan");
  },
  "the doctor": (db) => examine(db),
  "an estimate": async (db) => {
    await findFacts(db, "7");
    await findWays(db, ["7"]);
    await findStays(db, big.pipeline, 0);
    await lastOfRequest(db, "1", 20);
  },
  "the tally": async (db) => {
    await readForTally(db, { xid: "0", seq: "0" }, { rowsMost: 2_000, staysMost: 250, sized: [] });
    const left = Array.from({ length: 2_000 }, (_, index) => ({
      ...{ item: String(index + 1), version: 1, stage: 0, at: "2026-11-15T14:00:00Z" },
    }));
    await stayedOf(db, left);
  },
};

/** Nothing is in those two here. */
const EMPTY = ["journal_rest", "journal_kept"];

describe.each(Object.entries(asked))("%s", (_, ask) => {
  it("reads no table as a whole, and few pages", async () => {
    const { explaining } = big;
    explaining.plans.length = 0;
    await ask(explaining);
    expect(explaining.plans.flatMap((plan) => wholeTables(plan, EMPTY))).toEqual([]);
    expect(Math.max(...explaining.plans.map(buffersOf))).toBeLessThan(PAGES_MOST);
  });

  it("answers in a moment", async () => {
    const start = performance.now();
    await ask(big.db);
    const ms = performance.now() - start;
    if (process.env.FIGURES_ROWS !== undefined) process.stdout.write(`${_}: ${ms.toFixed(0)} ms\n`);
    expect(ms).toBeLessThan(5_000);
  });
});
