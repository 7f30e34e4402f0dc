// Many documents behind a gateway that is away, on a real database and two workers: nobody asks it for anything but how it is; and when it is
// back they come as the ramp and the rate allow, and not all at once.

import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScriptedGateway } from "../../sandbox/documents/scripted-gateway.ts";
import type { Said } from "../../sandbox/media/little-server.ts";
import { documentsApp, prepareDocumentTables } from "../../src/apps/documents/index.ts";
import { httpGateway } from "../../src/connectors/index.ts";
import { openSluice, parseId, type Sluice, type Tables } from "../../src/engine/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

// A proof asks for ten thousand.
const QUEUED = Number(process.env.SLUICE_DOCUMENTS ?? 300);
const BATCH = 500;
const AT_A_TIME = 8;
const A_SECOND = 100;
const WAIT_MS = 60_000 + QUEUED * 60;
const SHA256 = "ab".repeat(32);
const PDF = Buffer.from("%PDF-1.4\n%%EOF\n");

/** Away, until it is told to be there; and the truth about who asked for what, and when. */
class AwayGateway extends ScriptedGateway {
  isAway = true;
  probes = 0;
  /** Conversions that were asked for while it was away. */
  inVain = 0;
  readonly calls: { readonly atMs: number; readonly inside: number; readonly doneThen: number }[] = [];
  #inside = 0;
  #done = 0;

  protected override async answer(url: URL, request: IncomingMessage, body: Buffer): Promise<Said> {
    const isProbe = url.pathname === "/health";
    if (isProbe) this.probes += 1;
    if (this.isAway) {
      if (!isProbe) this.inVain += 1;
      return { status: 503 };
    }
    if (isProbe) return await super.answer(url, request, body);
    this.#inside += 1;
    this.calls.push({ atMs: performance.now(), inside: this.#inside, doneThen: this.#done });
    await sleep(10);
    const said = await super.answer(url, request, body);
    this.#inside -= 1;
    this.#done += 1;
    return said;
  }
}

const gateway = new AwayGateway();
const engines: Sluice[] = [];
let folder: string;
let server: TestServer;
let first: Sluice;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-queue-"));
  server = await startServer();
  await gateway.up();
});
afterAll(async () => {
  for (const one of engines) await one.close();
  await gateway.down();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function open(name: string): Promise<{ readonly sluice: Sluice; readonly app: ReturnType<typeof documentsApp> }> {
  const opened = Promise.withResolvers<Tables>();
  const app = documentsApp({
    tables: () => opened.promise,
    places: { uploads: path.join(folder, "uploads"), results: path.join(folder, "results") },
    gateway: { once: httpGateway({ service: "gateway", baseUrl: gateway.url, timeoutMs: 60_000 }) },
    limits: { atATime: AT_A_TIME, rate: `${A_SECOND}/s`, breaker: { rate: 0.5, calls: 20, cooldown: "1s" } },
  });
  const { pipelines, services } = app;
  const sluice = await openSluice({
    pipelines,
    services,
    database: server.url(),
    worker: { name, poll: 100, grace: 0 },
  });
  engines.push(sluice);
  await prepareDocumentTables(sluice.tables);
  opened.resolve(sluice.tables);
  return { sluice, app };
}

const INSERT = {
  name: "test-insert-documents",
  text: `
insert into documents.document (item_id, owner, name, mapping, bytes, sha256, source, is_current)
select n, 'mia', 'one.pdf', 'layout', $2, $3, $3, false from unnest($1::bigint[]) n`,
};
const SOURCE = { name: "test-insert-source", text: "insert into documents.source values ($1, $2, sluice.now())" };

/** As uploads leave them, without the uploads: all of one file. */
async function submitAll({ sluice, app }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const at = path.join(app.places.uploads, SHA256.slice(0, 2));
  await mkdir(at, { recursive: true });
  await writeFile(path.join(at, `${SHA256}.pdf`), PDF);
  await sluice.tables.query(SOURCE, [SHA256, PDF.length]);
  const input = { name: "one.pdf", mapping: "layout", bytes: PDF.length, sha256: SHA256 };
  for (let left = QUEUED; left > 0; left -= BATCH)
    await sluice.submit(
      app.pipeline,
      Array.from({ length: Math.min(BATCH, left) }, () => input),
      {
        owner: "mia",
        alongside: async (tx, { items }) => {
          await tx.query(INSERT, [items.map((item) => parseId("item", item)), PDF.length, SHA256]);
        },
      },
    );
}

async function count(name: string, where: string): Promise<number> {
  const text = `select count(*)::int as count from ${where}`;
  const [row] = await first.tables.query<{ count: number }>({ name: `test-count-${name}`, text }, []);
  return row?.count ?? 0;
}

const waiting = () => count("waiting", "sluice.run r where r.stage = 1 and r.state = 0");
const complete = () => count("complete", "documents.document where result is not null");
const behind = () =>
  count(
    "behind",
    `sluice.worker w, sluice.valve v where w.state = 0 and v.kind = 'breaker' and w.valve_generation < v.generation`,
  );
const spent = () => count("spent", "sluice.journal where kind = 8 and attempt is not null");

describe(`${QUEUED} documents behind a gateway that is away`, () => {
  beforeAll(async () => {
    const one = await open("one");
    first = one.sluice;
    await submitAll(one);
    await open("two");
  }, WAIT_MS);

  it(
    "ask for nothing but how it is, and spend no attempt",
    async () => {
      await until(async () => (await waiting()) === QUEUED, "all of them before the gateway", WAIT_MS);
      await until(async () => (await behind()) === 0, "every worker to know that it is away");
      const [inVain, probes] = [gateway.inVain, gateway.probes];
      await until(async () => gateway.probes >= probes + 4, "four probes");
      expect(gateway.inVain).toBe(inVain);
      // Those that were on their way when it opened: five in a row, and as many as there is room for.
      expect(inVain).toBeLessThanOrEqual(5 + 2 * AT_A_TIME);
      expect(await spent()).toBe(0);
    },
    WAIT_MS,
  );

  it(
    "are all converted when it is back, as the ramp and the rate allow, and each once",
    async () => {
      gateway.isAway = false;
      await until(async () => (await complete()) === QUEUED, "all of them to be converted", WAIT_MS);
      const { calls } = gateway;
      expect(calls).toHaveLength(QUEUED);
      expect(gateway.world.truth().duplicates).toEqual([]);
      const most = (done: number) => Math.min(AT_A_TIME, done === 0 ? 1 : 2 ** Math.ceil(Math.log2(done + 1)));
      expect(calls.filter(({ inside, doneThen }) => inside > most(doneThen))).toEqual([]);
      // Never faster than it is set: only a bound from below, however slow the machine is. A window may be used up at its beginning.
      const tookMs = (calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0);
      expect(tookMs).toBeGreaterThanOrEqual((QUEUED / A_SECOND - 2) * 1_000);
      expect(await spent()).toBe(0);
    },
    WAIT_MS,
  );
});
