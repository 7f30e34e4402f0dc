// PgBouncer of the distribution in transaction mode, in front of a test server: connections of different clients take
// turns on the same few sessions of the server.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort, type TestServer } from "./server.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

export interface TestPooler {
  url(database: string): string;
  stop(): Promise<void>;
}

export async function startPgbouncer(server: TestServer): Promise<TestPooler> {
  if (!existsSync(PROGRAM)) throw new Error("the tests need PgBouncer: install the Debian package pgbouncer");
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-pgbouncer-"));
  const port = await freePort();
  const settings = path.join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port} user=sluice
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  );
  // It refuses to run as root; whoever owns the server's folder runs it too.
  const { uid, gid } = statSync(server.folder);
  for (const file of [folder, settings]) chownSync(file, uid, gid);
  const log = openSync(path.join(folder, "log"), "a");
  const pooler = spawn(PROGRAM, [settings], { uid, gid, cwd: folder, stdio: ["ignore", log, log] });
  const url = (database: string) => `postgres://sluice@127.0.0.1:${port}/${database}`;
  await answering(pooler, url("postgres"), path.join(folder, "log"));
  return {
    url,
    async stop() {
      const gone = once(pooler, "exit");
      if (pooler.exitCode === null && pooler.kill("SIGINT")) await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answering(pooler: ChildProcess, url: string, log: string): Promise<void> {
  for (let tries = 0; tries < 200 && pooler.exitCode === null; tries += 1) {
    try {
      const client = new pg.Client(url);
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(50); // starting: there is no signal to wait for but its answer
    }
  }
  pooler.kill("SIGKILL");
  throw new Error(`PgBouncer did not start: ${readFileSync(log, "utf8").slice(-2000)}`);
}
