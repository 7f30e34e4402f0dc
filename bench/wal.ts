// What stands in a stretch of the write-ahead log, read with the server's own tool.

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type pg from "pg";

const BINARIES = process.env.SLUICE_TEST_PGBIN ?? "/usr/lib/postgresql/15/bin";

export async function walPosition(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query("select pg_current_wal_flush_lsn()::text as at");
  return rows[0].at;
}

/** Bytes of records, and of full-page images. */
export async function walBetween(folder: string, from: string, to: string): Promise<{ wal: number; images: number }> {
  if (from === to) return { wal: 0, images: 0 };
  return parseWalStats(await dump("--stats", "--path", folder, "--start", from, "--end", to));
}

/** The line of totals: records, their bytes, bytes of full-page images, both together, each with a share in brackets. */
export function parseWalStats(stats: string): { wal: number; images: number } {
  const total = stats.split("\n").find((line) => line.startsWith("Total"));
  const [, wal, images] = (total ?? "").replaceAll(/\[[^\]]*\]/g, "").match(/\d+/g) ?? [];
  if (wal === undefined || images === undefined)
    throw new Error(`pg_waldump said something else: ${stats.slice(-500)}`);
  return { wal: Number(wal), images: Number(images) };
}

/** Rows that one transaction inserted, updated or deleted. */
export async function rowsWritten(folder: string, from: string, to: string, transaction: string): Promise<number> {
  return countRows(await dump("--path", folder, "--start", from, "--end", to, "--xid", transaction));
}

export function countRows(records: string): number {
  const one = /^rmgr: Heap .*desc: (INSERT|UPDATE|HOT_UPDATE|DELETE)\b/;
  const many = /^rmgr: Heap2 .*desc: MULTI_INSERT\S* (\d+) tuples/;
  return records.split("\n").reduce((sum, line) => sum + (one.test(line) ? 1 : Number(many.exec(line)?.[1] ?? 0)), 0);
}

async function dump(...args: string[]): Promise<string> {
  return (await promisify(execFile)(path.join(BINARIES, "pg_waldump"), args, { maxBuffer: 1 << 26 })).stdout;
}
