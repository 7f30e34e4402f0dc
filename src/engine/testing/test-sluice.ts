// A whole Sluice in memory for tests: real engine, real SQL, no server, and a clock that stands still until the test
// moves it.

import {
  type Duration,
  type ItemId,
  type Logger,
  parseId,
  seededRandom,
  silentLogger,
  toMilliseconds,
} from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { endStateName, journalKindName } from "../items/codes.ts";
import type { Around } from "../pipeline/around.ts";
import type { Finder } from "../pipeline/finder.ts";
import type { AnyPipeline } from "../pipeline/pipeline.ts";
import type { Schedule } from "../pipeline/schedule.ts";
import { Sluice } from "../sluice.ts";
import { inlineHeart } from "../workers/heart.ts";
import type { GivenClients } from "../workers/service-clients.ts";
import { inlineSuspects } from "../workers/suspects.ts";
import { isWatching, movingItems, nextDueMs, stillOwed, type TraceRow, traceRows } from "./due.sql.ts";
import { openPglite } from "./pglite.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface TestSluiceOptions {
  readonly pipelines: readonly AnyPipeline[];
  /** What speaks to each service, as for `openSluice`. */
  readonly services?: GivenClients;
  readonly finders?: readonly Finder[];
  readonly schedules?: readonly Schedule[];
  /** What is wrapped around every visit, as for `openSluice`. */
  readonly around?: readonly Around[];
  /** Where time begins. */
  readonly start?: Date;
  /** Decides ids, nonces and jitter. */
  readonly seed?: number;
  readonly concurrency?: number;
  /** Works on these stages alone. */
  readonly stages?: readonly string[];
  readonly log?: Logger;
}

export interface TestSluice
  extends Pick<Sluice, "submit" | "cancel" | "retry" | "answer" | "signal" | "pause" | "resume"> {
  readonly sluice: Sluice;
  readonly db: Database;
  now(): Date;
  /** Lets everything happen that can happen without time passing. */
  drain(): Promise<void>;
  /** Moves time on, stopping at everything that becomes due on the way. */
  advance(by: Duration): Promise<void>;
  /** What happened to an item, a line each: `"search done"`, `"download fault TIMEOUT"`. */
  trace(item: ItemId): Promise<string[]>;
  /** What has to be removed outside and was not yet: its name there, or its key where no name was learnt. */
  owed(): Promise<string[]>;
  close(): Promise<void>;
}

/** While something happens outside, time stops this often on the way to look at it, but not for every five seconds of a day. */
const LOOKS = 60;
const LOOK_SHORTEST_MS = 5_000;
const LOOK_LONGEST_MS = 60_000;

export async function testSluice(options: TestSluiceOptions): Promise<TestSluice> {
  const db = await openPglite();
  const clock = await VirtualClock.over(db, options.start ?? new Date("2030-01-01T00:00:00Z"));
  const log = options.log ?? silentLogger;
  const sluice = await Sluice.start(
    {
      db,
      clock,
      random: seededRandom(options.seed ?? 1),
      log,
      notify: false,
      services: options.services ?? {},
      finders: options.finders ?? [],
      schedules: options.schedules ?? [],
      around: options.around ?? [],
      worker: {
        identity: { name: "test", host: "test", pid: 1, pidStarted: "0" },
        heart: (listener) => inlineHeart(db, { clock, log, listener }),
        isGone: () => false,
        suspects: inlineSuspects(),
        concurrency: options.concurrency ?? 10,
        pollMs: 1_000,
        deadAfterMs: 8_000,
        graceMs: 0,
        stages: options.stages,
      },
    },
    options.pipelines,
  );
  const drain = () => drained(db, clock);
  return {
    sluice,
    db,
    now: () => clock.now(),
    submit: (...given) => sluice.submit(...given),
    cancel: (...given) => sluice.cancel(...given),
    retry: (...given) => sluice.retry(...given),
    answer: (...given) => sluice.answer(...given),
    signal: (...given) => sluice.signal(...given),
    pause: (...given) => sluice.pause(...given),
    resume: (...given) => sluice.resume(...given),
    drain,
    async advance(by) {
      let left = toMilliseconds(by, "advance");
      const lookEvery = Math.min(LOOK_LONGEST_MS, Math.max(LOOK_SHORTEST_MS, left / LOOKS));
      await drain();
      while (left > 0) {
        const next = await nextDueMs(db);
        const due = (await isWatching(db)) ? Math.min(next ?? lookEvery, lookEvery) : next;
        // Rounded up: half a millisecond early is not due yet.
        const step = Math.min(left, due === null ? left : Math.max(1, Math.ceil(due)));
        await clock.jump(step);
        left -= step;
        await drain();
      }
    },
    trace: async (item) => (await traceRows(db, parseId("item", item, "item"))).map(line),
    owed: () => stillOwed(db),
    async close() {
      await sluice.close();
      await db.close();
    },
  };
}

/** Ticks of a second, so that every loop looks once more, until nothing moves: two in a row, for what the first set off. */
async function drained(db: Database, clock: VirtualClock): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    await clock.jump(0.001);
    await turns(5);
    quiet = (await movingItems(db)) === 0 ? quiet + 1 : 0;
    if (quiet === 0) await clock.jump(1_000);
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function line(row: TraceRow): string {
  const ended = endStateName(row.ended);
  const words = [row.stage ?? row.to_stage, journalKindName(row.kind), row.code ?? row.reason];
  if (ended !== undefined && ended !== "done") words.push(`→ ${ended}`);
  return words.filter((word) => word !== null && word !== undefined).join(" ");
}
