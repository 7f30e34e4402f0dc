// A throw-away PostgreSQL server of the distribution, on a free loopback port, run by an unprivileged user when we are
// root. Durability is stock. Tests, chaos and benchmarks start their own; nothing is shared between them.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export interface TestServer {
  readonly port: number;
  readonly folder: string;
  url(database?: string): string;
  /** The postmaster, for those who want to kill it. */
  pid(): number;
  /** As after a power cut: every process of the server is killed, nothing is flushed. Then it starts again. */
  crashAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

const BINARIES = process.env.SLUICE_TEST_PGBIN ?? "/usr/lib/postgresql/15/bin";

export async function startServer(settings: Record<string, string> = {}): Promise<TestServer> {
  if (!existsSync(`${BINARIES}/initdb`)) {
    throw new Error("the tests need PostgreSQL 15: install the Debian package postgresql-15");
  }
  const user = unprivilegedUser();
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-server-"));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, "data");
  // Nobody cuts the power in this moment: written through it takes half as long again.
  const options = ["-U", "sluice", "-A", "trust", "-E", "UTF8", "--locale=C", "-k", "--no-sync"];
  execFileSync(`${BINARIES}/initdb`, ["-D", data, ...options], {
    ...user,
    cwd: folder,
    stdio: "ignore",
  });
  const port = await freePort();
  const wanted: Record<string, string> = {
    listen_addresses: "'127.0.0.1'",
    port: String(port),
    unix_socket_directories: `'${folder}'`,
    max_connections: "200",
    shared_buffers: "256MB",
    max_wal_size: "4GB",
    ...settings,
  };
  appendFileSync(
    path.join(data, "postgresql.conf"),
    Object.entries(wanted)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(""),
  );
  const url = (database = "postgres") => `postgres://sluice@127.0.0.1:${port}/${database}`;
  let server = await launch(data, folder, user, url());
  return {
    port,
    folder,
    url,
    pid: () => server.pid as number,
    async crashAndRestart() {
      await end(server, "SIGQUIT");
      server = await launch(data, folder, user, url());
    },
    async stop() {
      await end(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type User = { readonly uid: number; readonly gid: number } | { readonly uid?: undefined };

function unprivilegedUser(): User {
  if (process.getuid?.() !== 0) return {};
  const entry = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((line) => line.startsWith("postgres:"));
  if (entry === undefined)
    throw new Error("the tests need the user postgres, which the Debian package postgresql-15 makes");
  const [, , uid, gid] = entry.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

async function launch(data: string, folder: string, user: User, url: string): Promise<ChildProcess> {
  const log = openSync(path.join(folder, "log"), "a");
  const server = spawn(`${BINARIES}/postgres`, ["-D", data], { ...user, cwd: folder, stdio: ["ignore", log, log] });
  for (let tries = 0; tries < 200; tries += 1) {
    if (server.exitCode !== null) break;
    try {
      const client = new pg.Client(url);
      await client.connect();
      await client.end();
      return server;
    } catch {
      await sleep(50); // starting, or recovering after a crash: there is no signal to wait for but its answer
    }
  }
  throw new Error(`PostgreSQL did not start: ${readFileSync(path.join(folder, "log"), "utf8").slice(-2000)}`);
}

async function end(server: ChildProcess, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, "exit");
  server.kill(signal);
  await gone;
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  if (address === null || typeof address === "string") throw new Error("no free port");
  probe.close();
  await once(probe, "close");
  return address.port;
}
