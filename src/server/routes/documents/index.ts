// The routes of the documents application, where the server has it.

import type { DocumentsApp } from "../../../apps/documents/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import type { Routes } from "../../http/routes.ts";
import { addDocumentActions } from "./actions.ts";
import { addDocumentReads } from "./documents.ts";
import { addResultRoutes } from "./results.ts";
import { addUploadRoute } from "./upload.ts";

export function addDocumentRoutes(routes: Routes, sluice: Sluice, app: DocumentsApp): void {
  // Words first: they would be taken for ids.
  addResultRoutes(routes, sluice, app);
  addDocumentReads(routes, sluice, app);
  addUploadRoute(routes, sluice, app);
  addDocumentActions(routes, sluice, app);
}
