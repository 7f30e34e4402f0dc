// Where a contender is measured: made for it, and gone afterwards.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Place } from "./contender.ts";
import { emptyRedis, type Servers } from "./servers.ts";

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
    await untilLeft(admin, database);
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Some contenders resolve before their last connection has ended, and complain when it is cut. */
async function untilLeft(admin: pg.Client, database: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rows } = await admin.query("select count(*)::int as n from pg_stat_activity where datname = $1", [
      database,
    ]);
    if (rows[0].n === 0) return;
    await sleep(20);
  }
}
