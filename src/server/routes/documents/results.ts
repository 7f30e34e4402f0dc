// What came of documents: one, its beginning, or several as a zip.

import { Readable } from "node:stream";
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  ARCHIVED_MOST,
  archiveOf,
  type DocumentsApp,
  listDocuments,
  oneDocument,
  openResult,
  previewOf,
  readableOf,
  someDocuments,
} from "../../../apps/documents/index.ts";
import { InputError, type Sluice } from "../../../engine/index.ts";
import { answers, itemParam } from "../../contract/common.ts";
import { documentPreview } from "../../contract/documents/documents.ts";
import { archiveQuery } from "../../contract/documents/upload.ts";
import type { Env } from "../../http/env.ts";
import { principalOf, type Routes } from "../../http/routes.ts";
import { itemMeant, ownerFor } from "../ownership.ts";

const BINARY = { schema: z.string().openapi({ format: "binary" }) };
const wrong = answers("", z.object({})).default;

export function addResultRoutes(routes: Routes, sluice: Sluice, app: DocumentsApp): void {
  const ports = { sluice, limits: app.limits };
  const readable = async (c: Context<Env>, item: string) => {
    const id = await itemMeant(sluice, c, item);
    return readableOf(await oneDocument(ports, id, { owner: ownerFor(c) ?? null }), app.places);
  };
  addArchive(routes, sluice, app);
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/documents/{item}/download",
      tags: ["documents"],
      summary: "The XML of a document; 409 NOT_READY until there is one, 410 EXPIRED when it was removed",
      request: { params: itemParam },
      responses: { 200: { description: "The XML", content: { "application/xml": BINARY } }, default: wrong },
    }),
    async (c) => {
      const result = await readable(c, c.req.valid("param").item);
      asDownload(c, "application/xml", result.name);
      c.header("content-length", String(result.bytes));
      // Whoever asks only about it reads nothing, and what was opened for that would stay open.
      if (c.req.method === "HEAD") return c.body(null, 200) as never; // as below
      const { stream } = await openResult(result);
      return c.body(Readable.toWeb(stream) as ReadableStream, 200) as never; // bytes, which the contract does not tell of
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/documents/{item}/preview",
      tags: ["documents"],
      summary: "The beginning of a document's XML, as text; refused as the download is",
      request: { params: itemParam },
      responses: answers("The beginning", documentPreview),
    }),
    async (c) => c.json(await previewOf(await readable(c, c.req.valid("param").item)), 200),
  );
}

function addArchive(routes: Routes, sluice: Sluice, app: DocumentsApp): void {
  const ports = { sluice, limits: app.limits };
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/documents/archive",
      tags: ["documents"],
      summary: "The XML of several documents as one zip; those without one are left out",
      request: { query: archiveQuery },
      responses: { 200: { description: "The zip", content: { "application/zip": BINARY } }, default: wrong },
    }),
    async (c) => {
      const { ids, owner } = c.req.valid("query");
      const onlooker = { owner: ownerFor(c) ?? null };
      const of = owner === "me" ? principalOf(c.get("principal")).user : null;
      const newest = async () => {
        const wanted = { limit: ARCHIVED_MOST, statuses: ["complete"] as const, of };
        return (await listDocuments(ports, wanted, onlooker)).entries;
      };
      const documents =
        ids === undefined ? await newest() : await someDocuments(ports, await meant(sluice, c, ids), onlooker);
      const pieces = archiveOf(documents, app.places);
      asDownload(c, "application/zip", "documents.zip");
      if (c.req.method === "HEAD") return c.body(null, 200) as never; // as above
      return c.body(ReadableStream.from(pieces) as ReadableStream, 200) as never; // as above
    },
  );
}

/** Another's is as unknown as one that never was, in a list as well. */
async function meant(sluice: Sluice, c: Context<Env>, ids: string) {
  const asked = ids.split(",").map((one) => one.trim());
  if (asked.length > ARCHIVED_MOST) throw new InputError("ids", `ids: at most ${ARCHIVED_MOST} at once`);
  return await Promise.all(asked.map((one) => itemMeant(sluice, c, one)));
}

function asDownload(c: Context<Env>, type: string, name: string): void {
  const plain = name.replaceAll(/[^\w .-]/g, "_");
  c.header("content-type", type);
  c.header("content-disposition", `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`);
}
