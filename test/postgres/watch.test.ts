// Looking after outside jobs with real processes, a real service and a real server: what it costs, and who goes on when
// the one who looked is gone.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fakeJobs } from "../../src/connectors/index.ts";
import { openSluice } from "../../src/engine/open.ts";
import { JobServer } from "../support/job-server.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { query } from "./fixtures/drive.ts";
import { convert } from "./fixtures/outside-pipelines.ts";

let server: TestServer;
let databases = 0;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());
afterEach(() => {
  for (const child of processes.splice(0)) child.kill("SIGKILL");
});

async function freshDatabase(): Promise<string> {
  databases += 1;
  await query(server.url(), `create database watch${databases}`);
  return server.url(`watch${databases}`);
}

async function until(what: string, seconds: number, holds: () => boolean | Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > seconds * 1_000) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(50);
  }
  return performance.now() - began;
}

async function startWorker(database: string, service: JobServer, name: string): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("fixtures/outside-process.ts", import.meta.url));
  const child = fork(script, [database, service.url, name], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  processes.push(child);
  await once(child, "message");
  return child;
}

const inputs = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

describe("ten thousand jobs that stand still", () => {
  it("cost a call per hundred a round, and no row of an item", async () => {
    const database = await freshDatabase();
    const fake = fakeJobs();
    const sluice = await openSluice({
      pipelines: [convert],
      services: { jobs: fake.client },
      database,
      worker: { concurrency: 1_000 },
    });
    try {
      for (let from = 0; from < 10; from += 1) await sluice.submit(convert, inputs(1_000));
      const watched = async () =>
        (await query(database, "select count(*)::int as n from sluice.run where state = 2"))[0]?.n;
      await until("all are started", 100, async () => (await watched()) === 10_000);
      // One whole round first: whoever learns of a job reads it once.
      const rounds = async (count: number) => {
        const from = fake.calls.look;
        await until("rounds pass", 60, () => fake.calls.look >= from + count * 100);
      };
      await rounds(2);
      const before = await footprint(database);
      const looks = fake.calls.look;
      await rounds(5);
      const after = await footprint(database);
      const passed = (fake.calls.look - looks) / 100;
      expect(after.rows).toBe(before.rows);
      expect(fake.calls.start).toBe(10_000);
      expect((after.commits - before.commits) / passed).toBeLessThan(60);
      // The worker's beat, its sweeps and the feed of no event: nothing that grows with the jobs.
      expect((after.wal - before.wal) / passed).toBeLessThan(20_000);
    } finally {
      await sluice.close();
    }
  });
});

interface Footprint {
  readonly rows: string;
  readonly wal: number;
  readonly commits: number;
}

/** What every run row was last written by, how far the log has come, and how many statements were sent. */
async function footprint(database: string): Promise<Footprint> {
  const [row] = await query(
    database,
    `select md5(string_agg(id || ' ' || xmin || ' ' || ctid, ',' order by id)) as rows,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
       (select xact_commit::int from pg_stat_database where datname = current_database()) as commits
     from sluice.run`,
  );
  return row as Footprint;
}

describe("the one who looks is killed", () => {
  it("and another looks within twelve seconds, and starts nothing again", async () => {
    const database = await freshDatabase();
    const service = new JobServer();
    await service.up();
    const workers = new Map<number, ChildProcess>();
    for (const name of ["one", "two"]) {
      const child = await startWorker(database, service, name);
      workers.set(child.pid ?? 0, child);
    }
    const client = await openSluice({ pipelines: [convert], database, worker: false });
    const request = await client.submit(convert, inputs(300));
    await until("all are started", 60, () => service.world.truth().made.size === 300);
    const holder = async () =>
      (
        await query(
          database,
          `select w.pid from sluice.duty d join sluice.worker w on w.epoch = d.epoch and w.state = 0 where d.name like 'watch:%'`,
        )
      )[0]?.pid;
    const watcher = await holder();
    workers.get(watcher)?.kill("SIGKILL");
    const looksOfAnother = async () => {
      const next = await holder();
      return next !== undefined && next !== watcher;
    };
    expect(await until("somebody else looks", 12, looksOfAnother)).toBeLessThan(12_000);
    service.world.tick(10);
    const result = await request.result();
    expect(result.items.every((item) => item.state === "done")).toBe(true);
    expect([...service.world.truth().made.values()].every((times) => times === 1)).toBe(true);
    await client.close();
    await service.down();
  });
});

describe("a thousand cancels while those who started the jobs are killed", () => {
  it("leave no job outside", async () => {
    const database = await freshDatabase();
    const service = new JobServer();
    await service.up();
    const client = await openSluice({ pipelines: [convert], database, worker: false });
    const names = ["one", "two", "three"];
    const workers = await Promise.all(names.map((name) => startWorker(database, service, name)));
    let isOver = false;
    const killing = (async () => {
      for (let turn = 0; !isOver; turn += 1) {
        const place = turn % names.length;
        workers[place]?.kill("SIGKILL");
        workers[place] = await startWorker(database, service, names[place] ?? "");
      }
    })();
    for (let batch = 0; batch < 50; batch += 1) {
      const { request } = await client.submit(convert, inputs(20));
      const made = service.world.truth().made.size;
      // Some are cancelled in the queue, some while they start, some while they run.
      if (batch % 3 !== 0)
        await Promise.race([until("some start", 20, () => service.world.truth().made.size > made), sleep(1_000)]).catch(
          () => {},
        );
      await client.cancel(request);
    }
    isOver = true;
    await killing;
    const open = async () =>
      (
        await query(database, "select count(*)::int as n from sluice.intent where over_at is null and owed_at is null")
      )[0]?.n;
    await until(
      "nothing is left outside",
      100,
      async () => service.world.truth().alive.length === 0 && (await open()) === 0,
    );
    const { made, cancelled } = service.world.truth();
    expect(made.size).toBeGreaterThan(50);
    expect(cancelled.length).toBeGreaterThan(0);
    expect([...made.values()].every((times) => times === 1)).toBe(true);
    await client.close();
    await service.down();
  });
});
