// `npm run bench`: the engine beside hand-written SQL, interleaved in one run on one throw-away server, as ratios. Figures
// of different runs or machines say nothing about each other; ratios of one run do.

import { parseArgs } from "node:util";
import pg from "pg";
import { startServer } from "../test/support/server.ts";
import type { Contender } from "./contender.ts";
import { engine } from "./engine.ts";
import { rawJournal } from "./raw-journal.ts";
import { statements } from "./statements.ts";

const { values } = parseArgs({
  options: { items: { type: "string", default: "20000" }, rounds: { type: "string", default: "5" } },
});
const count = Number(values.items);
const rounds = Number(values.rounds);
// Durability is stock; only sizes are set, so that no checkpoint falls into a run.
const server = await startServer({
  shared_buffers: "1GB",
  max_wal_size: "16GB",
  min_wal_size: "2GB",
  checkpoint_timeout: "60min",
});
const admin = new pg.Client(server.url());
await admin.connect();

interface Figures {
  readonly seconds: number;
  readonly wal: number;
}

// The bar is the statements': the whole engine, opening and closing included, is shown beside them.
const judged: Contender[] = [statements(1), statements(10)];
const contenders: Contender[] = [rawJournal, ...judged, engine(1), engine(10)];
const figures = new Map<string, Figures[]>(contenders.map((one) => [one.name, []]));
let databases = 0;
for (let round = 0; round < rounds; round += 1) {
  // Every other round backwards, so that nobody always runs on a warm or a tired machine.
  for (const contender of round % 2 === 0 ? contenders : [...contenders].reverse()) {
    const measured = await measure(contender);
    figures.get(contender.name)?.push(measured);
    console.log(
      `${contender.name.padEnd(30)} ${Math.round(count / measured.seconds)} items/s, ${Math.round(measured.wal)} B WAL/item`,
    );
  }
}
await admin.end();
await server.stop();

const raw = medians(rawJournal.name);
let isBelow = false;
console.log(`\nmedian of ${rounds} rounds, ${count} items through 4 stages`);
for (const { name } of contenders) {
  const { seconds, wal } = medians(name);
  const speed = raw.seconds / seconds;
  const volume = wal / raw.wal;
  if (judged.some((one) => one.name === name) && (speed < 0.6 || volume > 1.35)) isBelow = true;
  console.log(`${name.padEnd(30)} ${speed.toFixed(2)} × raw speed, ${volume.toFixed(2)} × raw WAL`);
}
console.log(
  isBelow ? "below the bar of 0.60 × speed and 1.35 × WAL" : "at or above the bar of 0.60 × speed and 1.35 × WAL",
);
process.exitCode = isBelow ? 1 : 0;

async function measure(contender: Contender): Promise<Figures> {
  databases += 1;
  const name = `bench${databases}`;
  await admin.query(`create database ${name}`);
  const prepared = await contender.prepare(server.url(name), count);
  await admin.query("checkpoint");
  const walBefore = await walPosition();
  const started = performance.now();
  await prepared.drain();
  const seconds = (performance.now() - started) / 1000;
  const wal = ((await walPosition()) - walBefore) / count;
  await prepared.close();
  await admin.query(`drop database ${name} with (force)`);
  return { seconds, wal };
}

async function walPosition(): Promise<number> {
  const { rows } = await admin.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at");
  return rows[0].at;
}

function medians(name: string): Figures {
  const all = figures.get(name) ?? [];
  const middle = (pick: (one: Figures) => number) => all.map(pick).sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
  return { seconds: middle((one) => one.seconds), wal: middle((one) => one.wal) };
}
