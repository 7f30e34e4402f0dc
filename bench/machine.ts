// On what a run was made.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";

export interface Machine {
  readonly day: string;
  readonly processor: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly redis: string;
  /** Over the last minute of the run, which itself keeps about two cores busy. */
  readonly load: number;
  readonly packages: Readonly<Record<string, string>>;
}

const PEERS = ["pg-boss", "graphile-worker", "bullmq", "ioredis", "@dbos-inc/dbos-sdk", "@electric-sql/pglite"];

export function machine(): Machine {
  const cores = os.cpus();
  const pinned = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).devDependencies;
  return {
    day: new Date().toISOString().slice(0, 10),
    processor: `${cores.length} × ${cores[0]?.model ?? "unknown"}`,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    postgres: says(`${process.env.SLUICE_TEST_PGBIN ?? "/usr/lib/postgresql/15/bin"}/postgres`, /\d+\.\d+/),
    redis: says("redis-server", /v=([\d.]+)/),
    load: os.loadavg()[0] ?? 0,
    packages: Object.fromEntries(PEERS.map((name) => [name, pinned[name]])),
  };
}

function says(program: string, version: RegExp): string {
  const match = execFileSync(program, ["--version"], { encoding: "utf8" }).match(version);
  return match?.[1] ?? match?.[0] ?? "unknown";
}
