// node bench/measure.ts NAME SERVER-URL ITEMS: one contender, once, in a process of its own, so that nobody's garbage or
// compiled code is another's. Prints the figures as one line of JSON.

import pg from "pg";
import { contenders } from "./contenders.ts";
import type { Figures } from "./figures.ts";

const WARM_UP = 2_000;

const [name, server, items] = process.argv.slice(2);
const contender = contenders.find((one) => one.name === name);
if (contender === undefined || server === undefined) throw new Error(`no contender is called ${name}`);
const admin = new pg.Client(server);
await admin.connect();
await measure(WARM_UP);
console.log(JSON.stringify(await measure(Number(items))));
await admin.end();

async function measure(count: number): Promise<Figures> {
  const database = `bench_${process.pid}`;
  await admin.query(`create database ${database}`);
  const url = new URL(server as string);
  url.pathname = database;
  const prepared = await contender?.prepare(url.href, count);
  // What was dropped before is on the disk by now, and not written while this is measured.
  await admin.query("checkpoint");
  const walBefore = await walPosition();
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  await prepared?.drain();
  const seconds = (performance.now() - started) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  const wal = (await walPosition()) - walBefore;
  await prepared?.close();
  await admin.query(`drop database ${database} with (force)`);
  return { rate: count / seconds, wal: wal / count, clientCpu: (cpu.user + cpu.system) / count };
}

async function walPosition(): Promise<number> {
  const { rows } = await admin.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at");
  return rows[0].at;
}
