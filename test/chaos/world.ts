// The world of a run: a server, proxies in front of it, the service outside, the client, and four workers.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openSluice } from "../../src/engine/index.ts";
import { seededRandom } from "../../src/kit/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { Client } from "./client.ts";
import { MAKE_LEDGER } from "./evidence.sql.ts";
import { JobService } from "./job-service.ts";
import type { ChaosOptions } from "./options.ts";
import { pipelines } from "./pipelines.ts";
import { type DatabaseProxy, startProxy } from "./proxy.ts";
import { type Service, startService } from "./service.ts";
import { ServiceLine } from "./service-line.ts";
import { WorkerProcess } from "./worker-process.ts";

export type Undo = () => Promise<void> | void;

export interface World {
  readonly folder: string;
  readonly server: TestServer;
  readonly proxies: readonly DatabaseProxy[];
  readonly service: Service;
  readonly jobs: JobService;
  /** From each worker to the job service. */
  readonly lines: readonly ServiceLine[];
  readonly client: Client;
  readonly workers: readonly WorkerProcess[];
  /** Aborted when nobody has to go on with anything. */
  readonly over: AbortController;
  /** Plain SQL as an onlooker whom nothing disturbs for long. Rejects while the database is away. */
  ask<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Longer than it takes to be found dead: the server goes on believing that the client is there. */
const LINGER_MS = 12_000;

const WORKERS = 4;

/** Everything that has to be undone is handed to `undo`, in the order in which it was done. */
export async function buildWorld(
  { seed, keep, concurrency }: ChaosOptions,
  undo: (what: Undo) => void,
  say: (line: string) => void,
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-chaos-"));
  if (keep) say(`logs and notes are kept in ${folder}`);
  else undo(() => rmSync(folder, { recursive: true, force: true }));
  const over = new AbortController();
  undo(() => over.abort());
  const server = await startServer({ log_min_messages: "fatal" });
  undo(() => server.stop());
  const ask = onlooker(server, undo);
  await ask(MAKE_LEDGER);

  const proxies = await Promise.all([
    startProxy(server.port),
    startProxy(server.port),
    startProxy(server.port, LINGER_MS),
  ]);
  for (const proxy of proxies) undo(() => proxy.stop());
  const through = ({ port }: DatabaseProxy) => server.url().replace(`:${server.port}/`, `:${port}/`);
  const [forClient, forSecond, forFourth] = proxies;
  const sluice = await openSluice({ pipelines, database: through(forClient), worker: false });
  undo(() => sluice.close());
  const service = await startService(seededRandom(seed + 1), (key) => client.signalSoon(key));
  undo(() => service.stop());
  const client = new Client(sluice, seededRandom(seed + 2), over.signal, (tag) => service.mend(tag));

  const jobs = await JobService.start(folder, (what) => client.hear(what));
  undo(() => jobs.stop());
  const lines = await linesTo(jobs, undo);

  const line = (worker: number) => ({ folder, concurrency, service: service.port, jobs: lines[worker]?.port ?? 0 });
  // Two on one host, who can see each other's processes; two on hosts of their own, one of them behind a network that
  // does not say when somebody is gone.
  const workers = [
    new WorkerProcess({ ...line(0), name: "first", database: server.url() }),
    new WorkerProcess({ ...line(1), name: "second", database: through(forSecond) }),
    new WorkerProcess({ ...line(2), name: "third", database: server.url(), host: "elsewhere" }),
    new WorkerProcess({ ...line(3), name: "fourth", database: through(forFourth), host: "far-away" }),
  ];
  for (const worker of workers) {
    undo(() => worker.destroy());
    worker.start();
  }
  return { folder, server, proxies, service, jobs, lines, client, workers, over, ask };
}

async function linesTo(jobs: JobService, undo: (what: Undo) => void): Promise<ServiceLine[]> {
  const lines = await Promise.all(Array.from({ length: WORKERS }, () => ServiceLine.start(jobs.port)));
  for (const line of lines) undo(() => line.close());
  jobs.changed = (isUp) => {
    for (const line of lines)
      if (isUp) void line.open();
      else line.close();
  };
  return lines;
}

function onlooker(server: TestServer, undo: (what: Undo) => void): World["ask"] {
  const pool = new pg.Pool({
    connectionString: server.url(),
    max: 3,
    application_name: "onlooker",
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  });
  pool.on("error", () => undefined);
  undo(() => pool.end());
  return async <Row>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as Row[];
}
