// A bulk retry whose workers are killed in the middle of their transactions: every item is accounted for exactly once.
// SLUICE_BULK=50000 and SLUICE_KILLS=5 make it the long run.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ItemId, OperationId, Sluice } from "../../src/engine/index.ts";
import { openSluice } from "../../src/engine/open.ts";
import { formatId } from "../../src/kit/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { mending } from "./fixtures/mending-pipeline.ts";

const TOTAL = Number(process.env.SLUICE_BULK ?? 1_000);
const KILLS = Number(process.env.SLUICE_KILLS ?? 2);
const BY_HAND = 7;
const SUBMIT = 10_000;

let server: TestServer;
let sluice: Sluice;
let client: pg.Client;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  server = await startServer();
  sluice = await openSluice({ pipelines: [mending(true)], database: server.url(), worker: false });
  client = new pg.Client(server.url());
  await client.connect();
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  await client.end();
  await sluice.close();
  await server.stop();
}, 60_000);

function works(mended: "mended" | "broken"): ChildProcess {
  const script = fileURLToPath(new URL("fixtures/mending-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, server.url(), mended], { stdio: ["ignore", "inherit", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

async function ends(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function number(text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ n: string }>(`select count(*) as n ${text}`, values);
  return Number(rows[0]?.n);
}

/** Asks until it is so: what happens in other processes shows nowhere but in the database. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

/** Has a worker stop in the middle of a batch, at this item, and kills it there. */
async function killAt(item: string): Promise<void> {
  await client.query("begin");
  await client.query("select from sluice.item where id = $1 for update", [item]);
  const child = works("mended");
  await until(async () => (await number("from pg_locks where not granted")) > 0);
  await ends(child, "SIGKILL");
  await client.query("rollback");
}

test(`a bulk retry of ${TOTAL} items, killed ${KILLS} times: each is done or refused once, as the preview said`, {
  timeout: 900_000,
}, async () => {
  for (let left = TOTAL; left > 0; left -= SUBMIT) {
    const inputs = Array.from({ length: Math.min(left, SUBMIT) }, (_, n) => ({ n: TOTAL - left + n }));
    await sluice.submit(mending(true), inputs);
  }
  const breaker = works("broken");
  await until(async () => (await number("from sluice.item where state <> 2")) === 0);
  await ends(breaker, "SIGTERM");
  await sluice.pause({ pipeline: "mending" });

  const filter = { pipeline: "mending", state: "failed", code: "BROKEN" } as const;
  const preview = await sluice.bulk.preview({ type: "retry" }, filter);
  expect(preview).toMatchObject({ matched: TOTAL, would: TOTAL - 1, refused: { "the first one is beyond repair": 1 } });
  const id = await sluice.bulk.start({ type: "retry" }, filter, { by: "ann", key: "mend all" });
  const { rows } = await client.query<{ id: string }>("select id from sluice.item order by id");
  const changed = rows.slice(-BY_HAND).map((row): ItemId => formatId("item", row.id));
  for (const item of changed) expect(await sluice.retry(item, "bob")).toEqual({ ok: true });

  for (let kill = 0; kill < KILLS; kill += 1) await killAt(rows[Math.floor((TOTAL * kill) / KILLS) + 1]?.id ?? "");
  expect((await sluice.bulk.get(id)).counts.open).toBeGreaterThan(0);
  works("mended");
  works("mended");
  await until(async () => (await sluice.bulk.get(id)).state === "finished");

  const { counts, total } = await sluice.bulk.get(id);
  expect({ counts, total }).toEqual({
    total: TOTAL,
    counts: { done: preview.would - BY_HAND, refused: BY_HAND + 1, failed: 0, stopped: 0, open: 0 },
  });
  const results = await allResults(id);
  expect(results.size).toBe(TOTAL);
  const refused = [...results].filter(([, reason]) => reason !== null);
  expect(refused).toEqual([
    [formatId("item", rows[0]?.id ?? ""), "the first one is beyond repair"],
    ...changed.map((item) => [item, "only a failed item can be retried"]),
  ]);
  expect(await number("from (select item_id from sluice.journal where kind = 12 group by item_id) one")).toBe(
    TOTAL - 1,
  );
  expect(await number("from sluice.journal where kind = 12")).toBe(TOTAL - 1);
  expect(await number("from sluice.audit where action = 'retry' and actor = 'ann'")).toBe(TOTAL - 1 - BY_HAND);

  await sluice.resume({ pipeline: "mending" });
  await until(async () => (await number("from sluice.item where state <> 1")) === 1);
});

async function allResults(id: OperationId): Promise<Map<ItemId, string | null>> {
  const found = new Map<ItemId, string | null>();
  for (let after: ItemId | undefined; ; ) {
    const page = await sluice.bulk.results(id, after === undefined ? {} : { after });
    for (const one of page) {
      if (found.has(one.item)) throw new Error(`${one.item} is listed twice`);
      found.set(one.item, one.reason);
    }
    after = page.at(-1)?.item;
    if (after === undefined) return found;
  }
}
