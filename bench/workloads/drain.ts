// Hands in items, starts a worker, and waits until the store shows all of them finished: the body of several workloads.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Contender, Place } from "../contender.ts";
import { loadContender } from "../contenders/catalogue.ts";
import { startMeter } from "../meter.ts";
import { emptyRedis, type Servers } from "../servers.ts";
import { Visits } from "../visits.ts";
import type { Assignment, Sample } from "../workload.ts";

/** Compiled code and warm connections are what a worker has that has run for a minute. */
const WARM_UP = 0.1;

/** Once to warm up, then measured, each on a database of its own. */
export async function measureDrain({ entrant, servers }: Assignment, stages: number): Promise<Sample> {
  const contender = await loadContender(entrant.contender);
  const perRequest = entrant.perRequest ?? 1;
  const warmUp = Math.max(perRequest, Math.round((entrant.items * WARM_UP) / perRequest) * perRequest);
  await drain(contender, servers, { stages, perRequest, items: warmUp });
  return await drain(contender, servers, { stages, perRequest, items: entrant.items });
}

async function drain(
  contender: Contender,
  servers: Servers,
  { stages, perRequest, items }: { readonly stages: number; readonly perRequest: number; readonly items: number },
): Promise<Sample> {
  return await inPlace(servers, async (place, admin) => {
    const visits = new Visits(items, stages);
    const opened = await contender.open(place, { stages, perRequest, tuned: "throughput", visit: visits.visit });
    const rssBefore = process.memoryUsage.rss();
    const submitted = await startMeter(contender.store, servers, admin);
    await opened.submit(0, items);
    const submit = await submitted();
    await opened.ready();
    // What was written before is on the disk by now, and not written while this is measured.
    await admin.query("checkpoint");
    const drained = await startMeter(contender.store, servers, admin);
    await opened.work();
    if (contender.isBare === undefined) await visits.complete;
    while (!(await opened.isEmpty())) await sleep(2);
    const cost = await drained();
    const rss = process.memoryUsage.rss();
    const faults = await visits.faults(opened, contender.isBare);
    await opened.close();
    if (faults.length > 0) throw new Error(`the work was not done: ${faults.join(", ")}`);
    const { wal, images = 0 } = cost;
    const log = wal === undefined ? {} : { wal: wal / items, images: images / items, log: (wal + images) / items };
    return {
      submitRate: items / submit.seconds,
      submitCpu: (submit.clientCpu + submit.serverCpu) / items,
      rate: items / cost.seconds,
      clientCpu: cost.clientCpu / items,
      serverCpu: cost.serverCpu / items,
      cpu: (cost.clientCpu + cost.serverCpu) / items,
      rssBefore: rssBefore / 2 ** 20,
      rss: rss / 2 ** 20,
      ...log,
    };
  });
}

/** A database, an empty Redis and an empty folder, all gone afterwards. */
export async function inPlace<T>(servers: Servers, work: (place: Place, admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client(servers.postgres.url);
  await admin.connect();
  const database = `bench_${process.pid}`;
  await admin.query(`create database ${database}`);
  const postgres = new URL(servers.postgres.url);
  postgres.pathname = database;
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-bench-"));
  try {
    return await work({ postgres: postgres.href, redisPort: servers.redis.port, folder }, admin);
  } finally {
    await emptyRedis(servers.redis.port);
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
