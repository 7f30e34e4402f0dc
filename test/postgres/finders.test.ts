// Finders on several servers that are killed meanwhile: nothing is found twice, and nothing is missed. Twenty thousand
// entities on four servers with SLUICE_ENTITIES=20000.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";
import { query } from "./fixtures/drive.ts";

const ENTITIES = Number(process.env.SLUICE_ENTITIES ?? 1_000);
const isLong = ENTITIES > 1_000;
const SERVERS = isLong ? 4 : 2;
const KILLS = isLong ? 8 : 2;
const PAGE = isLong ? 50 : 10;
const LIMIT_MS = isLong ? 600_000 : 150_000;

let server: TestServer;
const processes = new Map<number, ChildProcess>();

beforeAll(async () => {
  server = await startServer();
  await query(server.url(), "create table entity (id int primary key)");
  await query(server.url(), `insert into entity select generate_series(1, ${ENTITIES})`);
});
afterAll(() => server?.stop());
afterEach(() => {
  for (const child of processes.values()) child.kill("SIGKILL");
});

async function startWorker(name: string): Promise<void> {
  const script = fileURLToPath(new URL("fixtures/finding-process.ts", import.meta.url));
  const child = fork(script, [server.url(), name, String(PAGE)], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  processes.set(child.pid ?? 0, child);
  await once(child, "message");
}

async function count(of: string): Promise<number> {
  const [row] = await query<{ n: number }>(server.url(), `select count(*)::int as n ${of}`);
  return row?.n ?? -1;
}

/** Asks until there is an answer. The database is the only one who knows. */
async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const began = performance.now(); performance.now() - began < LIMIT_MS; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(20);
  }
  throw new Error(`${what}: not in time`);
}

/** Whoever has a finder in hand right now, of those that live: the dead look alive until their beat is missed. */
async function holder(): Promise<ChildProcess | undefined> {
  const rows = await query<{ pid: number }>(
    server.url(),
    "select w.pid from sluice.worker w join sluice.finder f on f.epoch = w.epoch where w.state = 0",
  );
  return rows.map(({ pid }) => processes.get(pid)).find((child) => child !== undefined);
}

describe(`two finders on ${SERVERS} servers over ${ENTITIES} entities, killed ${KILLS} times with a finder in hand`, () => {
  it(
    "enter every entity exactly once",
    async () => {
      await Promise.all(Array.from({ length: SERVERS }, (_, index) => startWorker(`server ${index}`)));
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const wanted = (ENTITIES * kill) / (KILLS + 1);
        const victim = await until("the next kill", async () =>
          (await count("from sluice.item")) >= wanted ? await holder() : undefined,
        );
        processes.delete(victim.pid ?? 0);
        victim.kill("SIGKILL");
        await startWorker(`server ${SERVERS + kill}`);
      }
      // Both finders have come to the end, over all of it.
      await until("the end", async () =>
        (await count(`from sluice.finder where after = '${ENTITIES}'`)) === 2 ? true : undefined,
      );
      await until("all done", async () => ((await count("from sluice.run")) === 0 ? true : undefined));
      expect(await count("from sluice.item")).toBe(ENTITIES);
      expect(await count("from (select distinct input ->> 'id' from sluice.item) found")).toBe(ENTITIES);
      expect(await count("from sluice.request where completed = 1 and total = 1")).toBe(ENTITIES);
    },
    LIMIT_MS * 2,
  );
});
