// Retrying and deleting a document.

import { createRoute } from "@hono/zod-openapi";
import { type DocumentsApp, dropDocument, oneDocument } from "../../../apps/documents/index.ts";
import { parseId, type Sluice } from "../../../engine/index.ts";
import { acted } from "../../contract/acted.ts";
import { answers, itemParam } from "../../contract/common.ts";
import type { Routes } from "../../http/routes.ts";
import { act } from "../acting.ts";
import { itemMeant, ownerFor } from "../ownership.ts";

const RESPONSES = answers("Done; or, of a dry run, what would be done", acted);

export function addDocumentActions(routes: Routes, sluice: Sluice, { limits }: DocumentsApp): void {
  const ports = { sluice, limits };
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/documents/{item}/retry",
      tags: ["documents"],
      summary: "Converts a document again that failed, while its PDF is there; the same as /api/jobs/{item}/retry",
      request: { params: itemParam },
      responses: RESPONSES,
    }),
    async (c) => {
      const item = await itemMeant(sluice, c, c.req.valid("param").item);
      await oneDocument(ports, item, { owner: ownerFor(c) ?? null });
      const acting = { action: "document.retry", subject: item, item };
      return c.json(await act(sluice, c, acting, (options) => sluice.retry(item, options)), 200);
    },
  );
  routes.add(
    "operate",
    createRoute({
      method: "delete",
      path: "/api/v1/documents/{item}",
      tags: ["documents"],
      summary: "Removes a document, what came of it and its history; what is under way is cancelled",
      request: { params: itemParam },
      responses: RESPONSES,
    }),
    async (c) => {
      const item = await itemMeant(sluice, c, c.req.valid("param").item);
      const { request, name } = await oneDocument(ports, item, { owner: ownerFor(c) ?? null });
      const acting = { action: "document.remove", subject: item, detail: { name } };
      const answer = await act(sluice, c, acting, (options) => sluice.remove(request, options));
      // After it: what is on its way out is in no list any more, and a retry of this finds nothing.
      if (!c.get("isDry")) await dropDocument(sluice.tables, parseId("item", item));
      return c.json(answer, 200);
    },
  );
}
