// Documents on an engine in this process and on a clock of its own, with a gateway that does as it is told.

import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  arrive,
  busyOf,
  countsOf,
  type DocumentLimits,
  documentsApp,
  enterAll,
  happenings,
  oneDocument,
  prepareDocumentTables,
  type SeenDocument,
} from "../../src/apps/documents/index.ts";
import { fakeGateway, fakeGatewayJobs } from "../../src/connectors/index.ts";
import type { HistoryEntry, ItemId, Tables } from "../../src/engine/index.ts";
import { testSluice } from "../../src/engine/testing/test-sluice.ts";
import { smallPdf } from "../support/pretend-documents.ts";

export type DocumentWorld = Awaited<ReturnType<typeof openDocumentWorld>>;

export async function openDocumentWorld(
  limits: Partial<DocumentLimits> = {},
  how: { readonly takesJobs?: boolean; readonly after?: (statement: string) => Promise<void> } = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-documents-"));
  const opened = Promise.withResolvers<Tables>();
  const [gateway, jobs] = [fakeGateway({ service: "gateway" }), fakeGatewayJobs({ service: "gateway" })];
  const places = { uploads: path.join(folder, "uploads"), results: path.join(folder, "results") };
  const app = documentsApp({
    ...{ places, tables: () => opened.promise, limits: { freeBytes: 0, uploadsPerMinute: 0, ...limits } },
    gateway: how.takesJobs === true ? { jobs: jobs.client } : { once: gateway.client },
  });
  const { pipelines, services, schedules } = app;
  const t = await testSluice({ pipelines, services, schedules });
  const { sluice } = t;
  await prepareDocumentTables(sluice.tables);
  // What stages and checks ask, and what a test lets happen right after it.
  opened.resolve({
    ...sluice.tables,
    async query<Row>(...given: Parameters<Tables["query"]>) {
      const rows = await sluice.tables.query<Row>(...given);
      await how.after?.(given[0].name);
      return rows;
    },
    transaction: (work) => sluice.tables.transaction(work),
  });
  const ports = { sluice, limits: app.limits };
  const read = (id: ItemId): Promise<SeenDocument> => oneDocument(ports, id, { owner: null });

  async function upload(word?: string, owner = "mia", version = app.pipeline.version) {
    const pipeline = app.pipelines.find(
      (one) => one.name === "documents" && one.version === version,
    ) as typeof app.pipeline;
    const content = smallPdf(word);
    const sent = async function* () {
      yield { name: `${word ?? "document"}.pdf`, content: pieces(content) };
    };
    const arrived = await arrive({ ...app, tables: sluice.tables }, sent(), false);
    const [one] = await enterAll({ sluice, pipeline }, arrived, {
      owner,
      mapping: app.limits.mapping,
      dryRun: false,
    });
    if (one === undefined || "refused" in one || one.entered.item === null) throw new Error("it was not taken");
    const { item, outcome, from } = one.entered;
    return { id: item, outcome, from };
  }

  return {
    ...{ t, app, gateway, jobs, places, upload, read },
    about: () => busyOf(sluice),
    counts: (owner: string | null = null) => countsOf(sluice, owner),
    history: async (id: ItemId) => (await sluice.history(id)).entries,
    eventsOf: (entries: readonly HistoryEntry[], document: SeenDocument) =>
      happenings(entries, document).map(({ type }) => type),
    async files(kind: "uploads" | "results"): Promise<string[]> {
      const found = await readdir(places[kind], { recursive: true, withFileTypes: true });
      return found.filter((one) => one.isFile()).map(({ name }) => name);
    },
    async close() {
      await t.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function* pieces(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
