// One run: builds the world, lets the nemeses loose on it, heals it, waits until it is quiet, and collects the evidence.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openSluice } from "../../src/engine/index.ts";
import { seededRandom } from "../../src/kit/index.ts";
import { startServer } from "../support/server.ts";
import { check } from "./check.ts";
import { Attendance } from "./attendance.ts";
import { Client, ITEMS_PER_SECOND } from "./client.ts";
import type { Evidence, VisitNote } from "./evidence.ts";
import { IN_LANE, ITEMS, JOURNAL, LEDGER, LIVES, MAKE_LEDGER, REQUESTS, UNFINISHED } from "./evidence.sql.ts";
import { shareOfOthers, usage } from "./machine.ts";
import { Nemeses } from "./nemeses.ts";
import type { ChaosOptions } from "./options.ts";
import { CAP, pipelines, press } from "./pipelines.ts";
import { startProxy } from "./proxy.ts";
import { recoveries } from "./recovery.ts";
import type { Outcome } from "./report.ts";
import { plan } from "./schedule.ts";
import { startService } from "./service.ts";
import { WorkerProcess } from "./worker-process.ts";

export type Undo = () => Promise<void> | void;

const QUIET_WITHIN_MS = 60_000;
const SAMPLE_MS = 200;
/** Longer than it takes to be found dead: the server goes on believing that the client is there. */
const LINGER_MS = 12_000;

/** Everything that has to be undone is handed to `undo`, in the order in which it was done. */
export async function run(options: ChaosOptions, undo: (what: Undo) => void, say: (line: string) => void): Promise<Outcome> {
  const { seconds, seed } = options;
  const folder = mkdtempSync(join(tmpdir(), "sluice-chaos-"));
  if (options.keep) say(`logs and notes are kept in ${folder}`);
  else undo(() => rmSync(folder, { recursive: true, force: true }));
  const over = new AbortController();
  undo(() => over.abort());

  const server = await startServer({ log_min_messages: "fatal" });
  undo(() => server.stop());
  const pool = new pg.Pool({ connectionString: server.url(), max: 3, application_name: "onlooker", connectionTimeoutMillis: 5_000 });
  pool.on("error", () => undefined);
  undo(() => pool.end());
  const ask = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => (await pool.query(text, values)).rows;
  await ask(MAKE_LEDGER);

  const [forClient, forSecond, forFourth] = await Promise.all([startProxy(server.port), startProxy(server.port), startProxy(server.port, LINGER_MS)]);
  const proxies = [forClient, forSecond, forFourth];
  for (const proxy of proxies) undo(() => proxy.stop());
  const through = (port: number) => server.url().replace(`:${server.port}/`, `:${port}/`);
  const sluice = await openSluice({ pipelines, database: through(forClient.port), worker: false });
  undo(() => sluice.close());
  let client: Client | undefined;
  const service = await startService(seededRandom(seed + 1), (key) => client?.signalSoon(key));
  undo(() => service.stop());
  client = new Client(sluice, seededRandom(seed + 2), over.signal, (tag) => service.mend(tag));
  const shared = { folder, service: service.port };
  const workers = [
    new WorkerProcess({ ...shared, name: "first", database: server.url() }),
    new WorkerProcess({ ...shared, name: "second", database: through(forSecond.port) }),
    new WorkerProcess({ ...shared, name: "third", database: server.url(), host: "elsewhere" }),
    new WorkerProcess({ ...shared, name: "fourth", database: through(forFourth.port), host: "far-away" }),
  ];
  for (const worker of workers) {
    undo(() => worker.destroy());
    worker.start();
  }

  await until(async () => workers.every((worker) => worker.standing === "ready"));

  const attendance = new Attendance();
  for (const worker of workers) {
    worker.changed = () => attendance.note(workers.filter((one) => one.standing === "ready").length, Date.now());
  }
  const nemeses = new Nemeses({ server, workers, proxies, service, ask });
  const capped = { most: 0, cap: CAP };
  const sampling = sampleCap(async () => {
    const [row] = await ask<{ count: number }>(IN_LANE, [press.name]);
    capped.most = Math.max(capped.most, row?.count ?? 0);
  }, over.signal);
  const began = performance.now();
  const before = usage([]);
  await Promise.all([
    client.submitAll(seconds * ITEMS_PER_SECOND, () => nemeses.progress, over.signal),
    nemeses.carryOut(plan(seconds, workers.length, seededRandom(seed)), over.signal),
  ]);
  say(`over after ${Math.round((performance.now() - began) / 1_000)} s; healing`);
  for (const worker of workers) worker.resume();
  await until(async () => {
    const [row] = await ask<{ count: number }>(UNFINISHED);
    return (row?.count ?? 1) === 0 && client.busy === 0 && workers.every((worker) => worker.standing === "ready");
  });
  over.abort();
  await sampling;
  await Promise.all(workers.map((worker) => worker.end()));
  const others = shareOfOthers(before, usage([server.pid()]));

  const evidence: Evidence = {
    operations: client.operations,
    visits: readNotes(folder),
    calls: service.calls,
    items: await ask(ITEMS),
    requests: await ask(REQUESTS),
    journal: await ask(JOURNAL),
    ledger: (await ask<{ item: string }>(LEDGER)).map(({ item }) => item),
    lives: await ask(LIVES),
    kills: workers.flatMap((worker) => worker.kills),
    pauses: workers.flatMap((worker) => worker.pauses),
    fallen: workers.flatMap((worker) => worker.fallen),
    downtimes: nemeses.downtimes,
    absences: attendance.absences(),
    capped,
  };
  const eaten = proxies.reduce((sum, proxy) => sum + proxy.eaten, 0);
  const startsMs = workers.flatMap((worker) => worker.startsMs);
  const { fired } = nemeses;
  return { startsMs, others, seconds, seed, fired, eaten, evidence, findings: check(evidence), recoveries: recoveries(evidence) };
}

async function sampleCap(sample: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // The database may be away; the next look sees it again.
    await sample().catch(() => undefined);
    await sleep(SAMPLE_MS);
  }
}

/** Returns when it is so, or when time is up; what has not ended by then is found by the checker. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + QUIET_WITHIN_MS;
  while (performance.now() < limit) {
    if (await isSo().catch(() => false)) return;
    await sleep(SAMPLE_MS);
  }
}

function readNotes(folder: string): VisitNote[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".notes"));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  // Written by outside.ts, whole lines only.
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as VisitNote);
}
