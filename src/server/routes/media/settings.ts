// Everything that is set for media.

import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import type { Routes } from "../../http/routes.ts";
import { addClientRoutes } from "./clients.ts";
import { addEncoderFileRoutes } from "./encoder-files.ts";
import { addEncoderSayRoute } from "./encoder-say.ts";
import { addEncoderRoutes } from "./encoders.ts";
import { addEncodingRoutes } from "./encodings.ts";
import { addIndexerRoutes } from "./indexers.ts";
import { addMetadataRoutes } from "./metadata.ts";
import { addProfileRoutes } from "./profiles.ts";
import { addServerRoutes } from "./servers.ts";

export function addMediaSettingRoutes(routes: Routes, sluice: Sluice, media: MediaApp): void {
  addIndexerRoutes(routes, sluice, media);
  addClientRoutes(routes, sluice, media);
  addMetadataRoutes(routes, sluice, media);
  addProfileRoutes(routes, sluice.tables);
  addEncodingRoutes(routes, sluice.tables);
  addEncoderRoutes(routes, sluice, media);
  addEncoderSayRoute(routes, sluice, media);
  addEncoderFileRoutes(routes, sluice, media);
  addServerRoutes(routes, sluice, media);
}
