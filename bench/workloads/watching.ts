// What it costs to look after jobs that run elsewhere: ten minutes, at a tenth of their length.

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { fakeJobs, type ServiceClient, supervised } from "../../src/connectors/index.ts";
import { definePipeline, openSluice, service } from "../../src/engine/index.ts";
import { type StartOptions, startSluice } from "../../src/engine/start.ts";
import { type Clock, silentLogger, systemClock } from "../../src/kit/index.ts";
import { type Asking, countStatements } from "../asked.ts";
import { startMeter } from "../meter.ts";
import { inPlace } from "../place.ts";
import type { Assignment, Sample, Workload } from "../workload.ts";

const ROUND_SECONDS = 5;
const ROUNDS = 120;
/** How much faster time passes for the engine, on both sides. The beats of a worker keep their pace. */
const HASTE = 10;
const FIGURES_ARE_IN_MS = 2_000;
/** Until the last progress is written that was made before: many jobs are written in turns. */
const ROUNDS_BEFORE = 40;

const convert = definePipeline("convert", { version: 1, input: z.object({ n: z.number() }) }).stage("convert", {
  outside: service<ServiceClient>("jobs"),
  ...supervised,
  every: "5s",
  // Nothing changes for ten minutes, and that is to be looked at, not restarted.
  stall: { never: "1h" },
});

const hasty: Clock = {
  monotonic: () => systemClock.monotonic() * HASTE,
  sleep: (ms, signal) => systemClock.sleep(ms / HASTE, signal),
};

export const watching: Workload = {
  title: "Looking after jobs that run elsewhere",
  about:
    `Jobs are started at a service in the same process, which answers at once, and looked after for ${ROUNDS} rounds of ` +
    `${ROUND_SECONDS} seconds, by a clock ${HASTE} times as fast: calls in batches of a hundred, statements ` +
    "(all others of a worker among them), rows of items written, and log of one round. Processor time is that of the worker, " +
    "the service in it, and the server, as a share of one core at such rounds.",
  limit: "sluice, 1 k jobs at rest",
  columns: [
    { figure: "calls", title: "calls/round", digits: 1 },
    { figure: "statements", title: "statements/round", digits: 1 },
    { figure: "rows", title: "item rows/round", digits: 1 },
    { figure: "wal", title: "WAL B/round", digits: 0 },
    { figure: "perChange", title: "WAL B/changed job", digits: 0 },
    { figure: "core", title: "% of a core", digits: 1 },
  ],
  rounds: () => 1,
  entrants: () => [
    { label: "sluice, 1 k jobs at rest", contender: "sluice", items: 1_000 },
    { label: "sluice, 10 k jobs at rest", contender: "sluice", items: 10_000 },
    { label: "sluice, 10 k jobs that get on", contender: "sluice", items: 10_000, isMoving: true },
  ],
  measure: (assignment) =>
    inPlace(assignment.servers, async (place, admin) => {
      const look = new pg.Client(place.postgres);
      await look.connect();
      const asking = await countStatements(admin, place.postgres);
      try {
        return await measureWatching(assignment, { url: place.postgres, look, admin, asking });
      } finally {
        await look.end();
      }
    }),
};

interface Surroundings {
  readonly url: string;
  /** A connection to the measured database, and one to another. */
  readonly look: pg.Client;
  readonly admin: pg.Client;
  readonly asking: Asking;
}

async function measureWatching({ entrant, servers }: Assignment, around: Surroundings): Promise<Sample> {
  const { url, look, admin, asking } = around;
  const { items, isMoving = false } = entrant;
  const fake = fakeJobs({ ticks: 100 * ROUNDS });
  await hastenServer(url, look);
  const sluice = await startSluice(optionsFor(url, fake.client));
  for (let from = 0; from < items; from += 1_000)
    await sluice.submit(
      convert,
      Array.from({ length: 1_000 }, (_, n) => ({ n: from + n })),
    );
  const watched = "select count(*)::int as n from sluice.run where state = 2";
  while ((await look.query(watched)).rows[0].n < items) await sleep(100);
  fake.world.tick(1);
  await afterRounds(ROUNDS_BEFORE);
  await sleep(FIGURES_ARE_IN_MS);
  const before = { rows: await rowsOf(look), calls: fake.calls.look };
  await asking.restart();
  const meter = await startMeter("postgres", servers, admin);
  const ticking = isMoving ? setInterval(() => fake.world.tick(1), (ROUND_SECONDS / HASTE) * 1_000) : undefined;
  await afterRounds(ROUNDS);
  clearInterval(ticking);
  const cost = await meter.stop();
  const { statements } = await asking.read();
  const calls = fake.calls.look - before.calls;
  await sleep(FIGURES_ARE_IN_MS);
  const rows = ((await rowsOf(look)) - before.rows) / ROUNDS;
  await sluice.close();
  const wal = (cost.wal ?? 0) / ROUNDS;
  return {
    calls: calls / ROUNDS,
    statements: statements / ROUNDS,
    rows,
    wal,
    ...(rows > 0 ? { perChange: wal / rows } : {}),
    core: ((cost.clientCpu + cost.serverCpu) / 1e6 / (ROUNDS * ROUND_SECONDS)) * 100,
  };
}

const afterRounds = (count: number): Promise<void> => hasty.sleep(count * ROUND_SECONDS * 1_000);

/** All that the engine's statements know of time. */
async function hastenServer(url: string, look: pg.Client): Promise<void> {
  const client = await openSluice({ pipelines: [convert], database: url, worker: false });
  await client.close();
  const { rows } = await look.query("select now()::text as at");
  const hasty = `timestamptz '${rows[0].at}' + (now() - timestamptz '${rows[0].at}') * ${HASTE}`;
  await look.query(
    `create or replace function sluice.now() returns timestamptz language sql stable as $$select ${hasty}$$`,
  );
}

function optionsFor(database: string, client: ServiceClient): StartOptions {
  return {
    pipelines: [convert],
    services: { jobs: client },
    finders: [],
    schedules: [],
    around: [],
    database,
    pooled: false,
    allowDataLoss: false,
    retention: {},
    log: silentLogger,
    limits: { name: undefined, concurrency: 1_000, deadAfterMs: 8_000, pollMs: 1_000, graceMs: 30_000 },
    clock: hasty,
  };
}

/** Written so far. Those who wrote tell it within a second. */
async function rowsOf(look: pg.Client): Promise<number> {
  const { rows } = await look.query(
    `select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as n from pg_stat_user_tables
     where relid in ('sluice.run'::regclass, 'sluice.item'::regclass)`,
  );
  return rows[0].n;
}
