// Everything that is set for media.

import type { MediaApp } from "../../../apps/media/index.ts";
import type { Tables } from "../../../engine/index.ts";
import type { Routes } from "../../http/routes.ts";
import { addClientRoutes } from "./clients.ts";
import { addIndexerRoutes } from "./indexers.ts";
import { addMetadataRoutes } from "./metadata.ts";
import { addProfileRoutes } from "./profiles.ts";

export function addMediaSettingRoutes(routes: Routes, tables: Tables, media: MediaApp): void {
  addIndexerRoutes(routes, tables, media);
  addClientRoutes(routes, tables, media);
  addMetadataRoutes(routes, tables, media);
  addProfileRoutes(routes, tables);
}
