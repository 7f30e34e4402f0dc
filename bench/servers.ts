// The servers of a run, thrown away after it: PostgreSQL with stock durability, Redis with an append-only file that is
// synced every second. Redis may lose that second when the machine stops; nobody else here may lose anything.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, startServer } from "../test/support/server.ts";
import { ASLEEP } from "./asked.ts";

/** What a measured process has to know of them; it travels as JSON. */
export interface Servers {
  readonly postgres: { readonly url: string; readonly pid: number; readonly wal: string };
  readonly redis: { readonly port: number; readonly pid: number };
}

export async function startServers(): Promise<Servers & { stop(): Promise<void> }> {
  // Sizes are set so that no checkpoint falls into a run, and nothing else that anybody would notice.
  const postgres = await startServer({
    shared_buffers: "1GB",
    max_wal_size: "16GB",
    min_wal_size: "2GB",
    checkpoint_timeout: "60min",
    ...ASLEEP,
  });
  const redis = await startRedis();
  return {
    postgres: { url: postgres.url(), pid: postgres.pid(), wal: path.join(postgres.folder, "data", "pg_wal") },
    redis: { port: redis.port, pid: redis.pid },
    async stop() {
      await redis.stop();
      await postgres.stop();
    },
  };
}

async function startRedis(): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-redis-"));
  const port = await freePort();
  const settings = {
    port,
    bind: "127.0.0.1",
    dir: folder,
    appendonly: "yes",
    appendfsync: "everysec",
    save: "",
    "maxmemory-policy": "noeviction",
  };
  const server = spawn(
    "redis-server",
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: "ignore" },
  );
  await once(server, "spawn");
  await answers(port, server);
  return {
    port,
    pid: server.pid as number, // it has been spawned
    async stop() {
      const gone = once(server, "exit");
      server.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100 && server.exitCode === null; tries += 1) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await sleep(50); // starting: there is no signal to wait for but its answer
    } finally {
      socket.destroy();
    }
  }
  throw new Error("Redis did not start");
}

/** Forgets everything: what one contender left would be the next one's memory and log. */
export async function emptyRedis(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write("FLUSHALL SYNC\r\n");
  await once(socket, "data");
  socket.destroy();
}
