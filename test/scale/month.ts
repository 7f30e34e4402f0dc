// Five weeks of a busy installation in virtual time: what the engine would write in a day is written by the server itself,
// while claiming, partitions and retention are the real ones. Everything is kept for ten days at most and history for seven, so
// from the third week on nothing may grow any more: neither the tables nor what a claim looks at.

import type { Database, Queryable } from "../../src/engine/db/database.ts";
import { openFeed } from "../../src/engine/events/feed-epoch.ts";
import { ensurePartitions } from "../../src/engine/events/partition.sql.ts";
import { claim } from "../../src/engine/items/claim.sql.ts";
import { storeKeep, storeLimits } from "../../src/engine/retention/policy.sql.ts";
import { runRetention } from "../../src/engine/retention/run.ts";
import { VirtualClock } from "../../src/engine/testing/virtual-clock.ts";
import { seededRandom } from "../../src/kit/index.ts";
import type { TestServer } from "../support/server.ts";
import { type BigDatabase, buffersOf, EPOCH, openBig } from "./database.ts";
import { ENDED, LEDGER, PER_REQUEST, SLOW_DAYS, submitted, WRONG } from "./month.sql.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 35;
const CLAIMED = 100;
/** Retention rests for an hour after each round; this many rounds a day are more than it needs here. */
const ROUNDS = 4;
const GROWTH_MOST = 1.2;

export interface Day {
  readonly bytes: number;
  /** Pages a claim of a hundred looks at. */
  readonly claim: number;
  readonly items: number;
}

export interface Month {
  readonly items: number;
  readonly days: readonly Day[];
  readonly wrong: readonly string[];
  /** The longest round of retention, in milliseconds of real time. */
  readonly slowestMs: number;
}

export async function liveThroughMonth(
  server: TestServer,
  items: number,
  now: () => number = () => performance.now(),
): Promise<Month> {
  const big = await openBig(server, "month");
  try {
    return await new Installation(big, Math.ceil(items / DAYS / PER_REQUEST) * PER_REQUEST, now).live();
  } finally {
    await big.close();
  }
}

class Installation {
  readonly #big: BigDatabase;
  readonly #db: Database;
  readonly #perDay: number;
  readonly #now: () => number;
  #slowestMs = 0;

  constructor(big: BigDatabase, perDay: number, now: () => number) {
    this.#big = big;
    this.#db = withTransactions(big);
    this.#perDay = perDay;
    this.#now = now;
  }

  async live(): Promise<Month> {
    const clock = await VirtualClock.over(this.#db, new Date("2030-01-07T00:00:00Z"));
    await openFeed(this.#db, seededRandom(1));
    await ensurePartitions(this.#db);
    await storeKeep(this.#db, this.#big.pipeline, { done: 3 * DAY_MS, failed: 10 * DAY_MS, cancelled: 2 * DAY_MS });
    await storeLimits(this.#db, { history: 7 * DAY_MS });
    await this.#big.client.query(LEDGER);
    const days: Day[] = [];
    for (let day = 0; day < DAYS; day += 1) {
      days.push(await this.#day(day));
      for (let round = 0; round < ROUNDS; round += 1) {
        await clock.jump(DAY_MS / ROUNDS);
        await this.#retain();
      }
    }
    return { items: this.#perDay * DAYS, days, wrong: await this.#wrong(), slowestMs: this.#slowestMs };
  }

  async #day(day: number): Promise<Day> {
    const [first, last] = this.#itemsOf(day);
    await ensurePartitions(this.#db);
    for (const statement of submitted(this.#big.pipeline, this.#big.lanes[0])) {
      await this.#db.query(statement, [first, last]);
    }
    const pages = await this.#claim();
    for (const statement of ENDED) await this.#db.query(statement, [first, last, false]);
    if (day >= SLOW_DAYS) {
      const [from, to] = this.#itemsOf(day - SLOW_DAYS);
      for (const statement of ENDED) await this.#db.query(statement, [from, to, true]);
    }
    // What autovacuum does in between; it is off here so that no two runs differ.
    await this.#big.client.query("vacuum analyze sluice.run, sluice.item, sluice.request, sluice.journal");
    const { rows } = await this.#big.client.query(`
      select sum(pg_total_relation_size(c.oid))::float8 as bytes, (select count(*)::int from sluice.item) as items
      from pg_class c where c.relnamespace = 'sluice'::regnamespace and c.relkind = 'r'`);
    return { bytes: rows[0].bytes, items: rows[0].items, claim: pages };
  }

  /** One above a multiple of ten to a multiple of ten, from eleven on: requests begin with 1. */
  #itemsOf(day: number): [number, number] {
    const before = PER_REQUEST + day * this.#perDay;
    return [before + 1, before + this.#perDay];
  }

  async #claim(): Promise<number> {
    const places = [1, 2, 3, 4, 5].flatMap((priority) => this.#big.lanes.map((lane) => ({ lane, priority, floor: 0 })));
    await claim(this.#db, places, CLAIMED, EPOCH);
    await claim(this.#big.explaining, places, CLAIMED, EPOCH);
    const plan = this.#big.explaining.plans.at(-1);
    if (plan === undefined) throw new Error("nothing was explained");
    return buffersOf(plan);
  }

  async #retain(): Promise<void> {
    const began = this.#now();
    await runRetention(this.#db);
    this.#slowestMs = Math.max(this.#slowestMs, this.#now() - began);
  }

  async #wrong(): Promise<string[]> {
    const wrong: string[] = [];
    for (const [what, text] of Object.entries(WRONG)) {
      const { rows } = await this.#big.client.query(`select count(*)::int as n from (${text}) w`);
      if (rows[0].n > 0) wrong.push(`${what} (${rows[0].n})`);
    }
    return wrong;
  }
}

/** One session has the clock, so everything goes through it. */
function withTransactions(big: BigDatabase): Database {
  const inside: Queryable = big.db;
  return {
    query: (statement, values) => inside.query(statement, values),
    async transaction(work) {
      await big.client.query("begin");
      try {
        const result = await work(inside);
        await big.client.query("commit");
        return result;
      } catch (error) {
        await big.client.query("rollback");
        throw error;
      }
    },
    listen: () => Promise.reject(new Error("nobody listens here")),
    close: async () => undefined,
  };
}

export interface Growth {
  readonly bytes: number;
  readonly claim: number;
}

/** The last week against the third, the first in which everything has reached its age. */
export function growthOf({ days }: Month): Growth {
  const mean = (week: number, of: keyof Day) =>
    days.slice(week * 7, week * 7 + 7).reduce((sum, day) => sum + day[of] / 7, 0);
  return { bytes: mean(4, "bytes") / mean(2, "bytes"), claim: mean(4, "claim") / mean(2, "claim") };
}

/** What must hold, as sentences; empty when all of it does. */
export function whatGrew(month: Month): string[] {
  const { bytes, claim: pages } = growthOf(month);
  return [
    ...month.wrong,
    ...(bytes <= GROWTH_MOST ? [] : [`the tables grew by a factor of ${bytes.toFixed(2)} in two weeks`]),
    ...(pages <= GROWTH_MOST ? [] : [`what a claim looks at grew by a factor of ${pages.toFixed(2)} in two weeks`]),
  ];
}
