// What a stretch of work costs: time, processor time of the contender's process and of its server, and write-ahead log,
// full-page images apart. Those hang on when the last checkpoint was, not on who wrote.

import { readFileSync } from "node:fs";
import type pg from "pg";
import type { Contender } from "./contender.ts";
import type { Servers } from "./servers.ts";
import { walBetween, walPosition } from "./wal.ts";

export interface Cost {
  readonly seconds: number;
  /** Microseconds of processor time. */
  readonly clientCpu: number;
  readonly serverCpu: number;
  /** Bytes without full-page images, and those. Undefined where the store has no such log. */
  readonly wal: number | undefined;
  readonly images: number | undefined;
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_US = 10_000;

export interface Meter {
  /** Begins anew, but for the log. */
  restart(): void;
  stop(): Promise<Cost>;
}

/** Starts to measure. `admin` is a connection to the server, on another database. */
export async function startMeter(store: Contender["store"], servers: Servers, admin: pg.Client): Promise<Meter> {
  const server = { postgres: servers.postgres.pid, redis: servers.redis.pid, own: undefined }[store];
  const from = await walPosition(admin);
  const begin = () => ({ server: processorTime(server), client: process.cpuUsage(), at: performance.now() });
  let began = begin();
  return {
    restart() {
      began = begin();
    },
    async stop() {
      const seconds = (performance.now() - began.at) / 1000;
      const client = process.cpuUsage(began.client);
      const serverCpu = processorTime(server) - began.server;
      const to = await walPosition(admin);
      const log = store === "postgres" ? await walBetween(servers.postgres.wal, from, to) : {};
      return { seconds, clientCpu: client.user + client.system, serverCpu, wal: undefined, images: undefined, ...log };
    },
  };
}

/** Of a process, of its children, and of those of its children that have ended. */
function processorTime(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const own = readStat(pid);
  if (own === undefined) return 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((child) => child !== "")
    .reduce((total, child) => total + (readStat(Number(child))?.own ?? 0), 0);
  return (own.own + own.ended + children) * TICK_US;
}

function readStat(pid: number): { own: number; ended: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined; // it has ended since
  }
  // The name may contain spaces and brackets; everything after the last bracket is numbers.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return { own: user + system, ended: endedUser + endedSystem };
}
