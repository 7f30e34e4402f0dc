// Which documents there are, and how each stands.

import { createRoute } from "@hono/zod-openapi";
import {
  busyOf,
  countsOf,
  type DocumentsApp,
  happenings,
  listDocuments,
  oneDocument,
} from "../../../apps/documents/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers, itemParam, page } from "../../contract/common.ts";
import { documentEvent, documentsAbout, documentsQuery, documentView } from "../../contract/documents/documents.ts";
import { toBusy, toDocument, toDocumentEvent } from "../../contract/documents/to-view.ts";
import { list, whole } from "../../contract/done.ts";
import { principalOf, type Routes } from "../../http/routes.ts";
import { itemMeant, ownerFor } from "../ownership.ts";

const OPEN = ["queued", "processing"] as const;
/** More happened to hardly any. */
const HISTORY_MOST = 1_000;

export function addDocumentReads(routes: Routes, sluice: Sluice, app: DocumentsApp): void {
  const ports = { sluice, limits: app.limits };
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/documents/about",
      tags: ["documents"],
      summary: "What may be uploaded, how the converter is, and how many documents there are",
      responses: answers("About documents", documentsAbout),
    }),
    async (c) => {
      const { fileBytes, files, uploadsPerMinute, keepSourcesMs, keepResultsMs } = app.limits;
      return c.json(
        {
          mappings: [...(await app.mappings.all())],
          limits: { fileBytes, files, uploadsPerMinute, keepSourcesMs, keepResultsMs },
          counts: await countsOf(sluice, ownerFor(c) ?? null),
          ...toBusy(await busyOf(sluice)),
          uploadRefusal: await app.roomRefusal(),
        },
        200,
      );
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/documents",
      tags: ["documents"],
      summary: "Documents, newest first",
      request: { query: documentsQuery },
      responses: answers("A page of them", page(documentView)),
    }),
    async (c) => {
      const { show, owner, ...wanted } = c.req.valid("query");
      const statuses = show === "all" ? null : show === "open" ? OPEN : [show];
      const of = owner === "me" ? principalOf(c.get("principal")).user : null;
      const onlooker = { owner: ownerFor(c) ?? null };
      const { entries, next } = await listDocuments(ports, { ...wanted, statuses, of }, onlooker);
      return c.json({ entries: entries.map(toDocument), next }, 200);
    },
  );
  addOne(routes, ports);
}

function addOne(routes: Routes, ports: Parameters<typeof oneDocument>[0]): void {
  const { sluice } = ports;
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/documents/{item}",
      tags: ["documents"],
      summary: "One document",
      request: { params: itemParam },
      responses: answers("The document", documentView),
    }),
    async (c) => {
      const item = await itemMeant(sluice, c, c.req.valid("param").item);
      return c.json(toDocument(await oneDocument(ports, item, { owner: ownerFor(c) ?? null })), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/documents/{item}/events",
      tags: ["documents"],
      summary: "What happened to a document, in its own words, the first first",
      request: { params: itemParam },
      responses: answers("All of it", list(documentEvent)),
    }),
    async (c) => {
      const item = await itemMeant(sluice, c, c.req.valid("param").item);
      const document = await oneDocument(ports, item, { owner: ownerFor(c) ?? null });
      const { entries } = await sluice.history(item, { limit: HISTORY_MOST, outputs: false });
      return c.json(whole(happenings(entries, document).map(toDocumentEvent)), 200);
    },
  );
}
