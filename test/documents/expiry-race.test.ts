// PDFs that expire while people retry, on a real server and over several connections: what lives has its PDF, and what has lost it is refused.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  arrive,
  type DocumentsApp,
  documentStore,
  documentsApp,
  enterAll,
  prepareDocumentTables,
} from "../../src/apps/documents/index.ts";
import { fakeGateway } from "../../src/connectors/index.ts";
import { type ItemId, openSluice, parseId, type Sluice, type Tables } from "../../src/engine/index.ts";
import { smallPdf } from "../support/pretend-documents.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let sluice: Sluice;
let app: DocumentsApp;
const gateway = fakeGateway({ service: "gateway" });
const folder = mkdtempSync(path.join(tmpdir(), "sluice-expiry-"));
const scope = { pipeline: "documents" };

beforeAll(async () => {
  server = await startServer();
  const opened = Promise.withResolvers<Tables>();
  app = documentsApp({
    ...{ tables: () => opened.promise, gateway: { once: gateway.client }, limits: { freeBytes: 0 } },
    places: { uploads: path.join(folder, "uploads"), results: path.join(folder, "results") },
  });
  const { pipelines, services } = app;
  sluice = await openSluice({ database: server.url("postgres"), pipelines, services });
  await prepareDocumentTables(sluice.tables);
  opened.resolve(sluice.tables);
});
afterAll(async () => {
  await sluice?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const expire = (most = 1_000) => documentStore(async () => sluice.tables).expireSources(0, most);

/** One, after so many turns of the database. */
async function expireAfter(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await sluice.tables.query({ name: "test-turn", text: "select 1" }, []);
  await expire(1);
}

/** So many that the gateway refused. What is retried afterwards stays where it is, and lives. */
async function failed(count: number): Promise<ItemId[]> {
  await sluice.resume(scope);
  gateway.trouble("convert", ...Array.from({ length: count }, () => ({ status: 422 })));
  const sent = async function* () {
    for (let each = 0; each < count; each += 1)
      yield {
        name: "x.pdf",
        content: (async function* () {
          yield smallPdf();
        })(),
      };
  };
  const arrived = await arrive({ ...app, tables: sluice.tables }, sent(), false);
  const by = { owner: "mia", mapping: "layout", dryRun: false };
  const came = await enterAll({ sluice, pipeline: app.pipeline }, arrived, by);
  const items = came.flatMap((one) => ("entered" in one ? (one.entered.item ?? []) : []));
  await expect
    .poll(async () => Promise.all(items.map(async (item) => (await sluice.item(item)).state)))
    .toEqual(items.map(() => "failed"));
  await sluice.pause(scope);
  return items;
}

async function sourceOf(item: ItemId): Promise<string | null> {
  const text = "select source from documents.document where item_id = $1";
  const [row] = await sluice.tables.query<{ source: string | null }>({ name: "test-source", text }, [
    parseId("item", item),
  ]);
  return row?.source ?? null;
}

describe("a PDF whose time is over", () => {
  it("stays while a retry has its item, and after that retry was done", async () => {
    const [item] = (await failed(1)) as [ItemId];
    const client = new pg.Client({ connectionString: server.url("postgres") });
    await client.connect();
    try {
      await client.query("begin");
      await client.query("select id from sluice.item where id = $1 for no key update", [parseId("item", item)]);
      expect(await expire()).toBe(0);
      await client.query("rollback");
    } finally {
      await client.end();
    }
    expect(await sluice.retry(item)).toMatchObject({ ok: true });
    expect(await expire()).toBe(0);
    expect(await sourceOf(item)).not.toBeNull();
    await sluice.cancel(item);
  });

  it("is there for all that live again, and those that lost it stay failed with the reason, whoever was first", async () => {
    const items = await failed(60);
    const retried = [];
    // The first that can expire is the one that is retried, or else the next: a few statements earlier or later.
    for (const [index, item] of items.entries()) {
      const [result] = await Promise.all([sluice.retry(item), expireAfter(index % 10)]);
      retried.push({ item, ...result });
    }
    await expire();
    for (const { item, ...result } of retried) {
      const [source, { state }] = [await sourceOf(item), await sluice.item(item)];
      if (result.ok) expect([item, state, source]).toEqual([item, "queued", expect.any(String)]);
      else {
        expect(result.reason).toMatch(/^its PDF was removed on .*; upload it again$/);
        expect([item, state, source]).toEqual([item, "failed", null]);
      }
    }
  });
});
