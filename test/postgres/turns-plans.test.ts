// Claiming by turns, and what has waited longest, costs the same among very many rows: one key that has queued most of them,
// a thousand others, and as many rows whose time has not come. Whatever the statistics say, and without any.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/engine/db/database.ts";
import { type ClaimPlace, claim } from "../../src/engine/items/claim.sql.ts";
import { claimAged } from "../../src/engine/items/claim-aged.sql.ts";
import { claimFair } from "../../src/engine/items/claim-fair.sql.ts";
import { dueLanes } from "../../src/engine/items/due-lanes.sql.ts";
import {
  type BigDatabase,
  buffersOf,
  EPOCH,
  load,
  nodesOf,
  openBig,
  type Plan,
  startBigServer,
} from "../scale/database.ts";
import type { TestServer } from "../support/server.ts";

const FEW = 10_000;
const MANY = 100_000;
const PAST = "sluice.now() - interval '1 hour' + n * interval '1 microsecond'";
const FUTURE = "sluice.now() + interval '1 hour' + n * interval '1 microsecond'";

let server: TestServer;
let few: BigDatabase;
let many: BigDatabase;

beforeAll(async () => {
  server = await startBigServer();
  few = await filled("few", FEW);
  many = await filled("many", MANY);
}, 180_000);

afterAll(async () => {
  await few?.close();
  await many?.close();
  await server?.stop();
});

/** Of the due ones most are of one key, in front of all others. */
async function filled(name: string, rows: number): Promise<BigDatabase> {
  const big = await openBig(server, name);
  const lane = big.lanes[0];
  await load(big, { count: rows * 0.6, lane, readyAt: FUTURE, fair: "n % 1000 + 500" });
  await load(big, { count: rows * 0.6, lane, readyAt: PAST, fair: "7" });
  await load(big, { count: rows * 0.4, lane, readyAt: PAST, fair: "n % 1000 + 1000" });
  await load(big, { count: 300, lane, readyAt: PAST, state: 1, fair: "n % 100" });
  return big;
}

const places = (big: BigDatabase, after?: string): ClaimPlace[] =>
  [1, 2, 3, 4, 5].map((priority) => ({
    ...{ lane: big.lanes[0], priority, floor: 0 },
    ...(after === undefined ? {} : { after }),
  }));

interface Asked {
  readonly perKey?: number;
  readonly take: (db: Queryable, big: BigDatabase) => Promise<unknown>;
}

// From 0 on lie the key of most, then five hundred that have nothing due; from 1200 on all have.
const asked: Record<string, Asked> = {
  "a hundred by turns": { take: (db, big) => claimFair(db, places(big, "1200"), 100, EPOCH) },
  "a hundred from one key, and behind many that wait": {
    take: (db, big) => claimFair(db, places(big, "0"), 100, EPOCH),
  },
  "one by turns": { take: (db, big) => claimFair(db, places(big, "1200"), 1, EPOCH) },
  "a hundred where keys are limited": { perKey: 2, take: (db, big) => claimFair(db, places(big, "1200"), 100, EPOCH) },
  "a hundred behind keys that are full": { perKey: 2, take: (db, big) => claimFair(db, places(big, "0"), 100, EPOCH) },
  "the oldest where keys are limited": {
    perKey: 2,
    take: (db, big) => claimFair(db, places(big, "1200"), 32, EPOCH, 600),
  },
  "what has waited longest": { take: (db, big) => claimAged(db, places(big), 32, EPOCH) },
  "which lanes have something old": { take: (db, big) => dueLanes(db, [...big.lanes], 600) },
};

function wholeReads(plan: Plan): string[] {
  return [...nodesOf(plan)].flatMap((node) => {
    const table = node["Relation Name"] ?? "";
    const index = node["Index Name"] ?? "";
    if (node["Node Type"] === "Seq Scan" && /^(run|item|request)$/.test(table)) return [`reads all of ${table}`];
    return /^(run|item)_/.test(index) && node["Index Cond"] === undefined ? [`reads all of index ${index}`] : [];
  });
}

async function rolledBack<T>(big: BigDatabase, { perKey, take }: Asked, look: (asking: () => Promise<unknown>) => T) {
  await big.client.query("begin");
  try {
    await big.client.query("update sluice.lane set per_key = $1", [perKey ?? null]);
    return await look(() => take(big.explaining, big));
  } finally {
    await big.client.query("rollback");
  }
}

/** Pages, the second time: the first sets hint bits. */
async function costOf(big: BigDatabase, asking: Asked): Promise<number> {
  for (let time = 0; time < 2; time += 1) {
    big.explaining.plans.length = 0;
    await rolledBack(big, asking, (ask) => ask());
  }
  expect(big.explaining.plans.flatMap(wholeReads)).toEqual([]);
  return Math.max(...big.explaining.plans.map(buffersOf));
}

/** With a plan that fits any values, which is judged by what it makes the server count. */
async function rowsRead(big: BigDatabase, { perKey, take }: Asked): Promise<number> {
  const read = async () => {
    await big.client.query("select pg_stat_force_next_flush()");
    const { rows } = await big.client.query<{ n: number }>(`
      select (select sum(seq_tup_read) from pg_stat_user_tables where relname in ('run', 'item', 'request'))
        + (select sum(idx_tup_read) from pg_stat_user_indexes where relname in ('run', 'item', 'request')) as n`);
    return Number(rows[0]?.n);
  };
  await big.client.query("set plan_cache_mode = force_generic_plan");
  const before = await read();
  await rolledBack(big, { ...(perKey === undefined ? {} : { perKey }), take }, () => take(big.db, big));
  const after = await read();
  await big.client.query("reset plan_cache_mode");
  return after - before;
}

describe.each(["never counted", "counted now"])("with statistics %s", (when) => {
  beforeAll(async () => {
    if (when === "never counted") return;
    for (const big of [few, many]) await big.client.query("vacuum analyze");
  });

  it.each(Object.entries(asked))(
    "%s goes by index, and looks at no more pages among ten times as many",
    async (name, one) => {
      const cost = { few: await costOf(few, one), many: await costOf(many, one) };
      if (process.env.TURNS_TOLD !== undefined) process.stdout.write(`${when}, ${name}: ${JSON.stringify(cost)}\n`);
      expect(cost.many, JSON.stringify(cost)).toBeLessThanOrEqual(1.5 * cost.few);
      expect(cost.many).toBeLessThan(6_000);
    },
  );

  it.each(Object.entries(asked))("%s does so with a plan that fits any values", async (name, one) => {
    const read = await rowsRead(many, one);
    if (process.env.TURNS_TOLD !== undefined) process.stdout.write(`${when}, ${name}: ${read} rows\n`);
    expect(read).toBeLessThan(6_000);
  });
});

it("taking a hundred by turns costs no more than so many times a claim by age", async () => {
  const byAge = await costOf(many, { take: (db, big) => claim(db, places(big), 100, EPOCH) });
  const byTurns = await costOf(many, { take: (db, big) => claimFair(db, places(big, "1200"), 100, EPOCH) });
  if (process.env.TURNS_TOLD !== undefined) process.stdout.write(`${JSON.stringify({ byAge, byTurns })}\n`);
  expect(byTurns).toBeLessThan(5 * byAge);
});
