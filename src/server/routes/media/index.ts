// The routes of the media application, where the server has it.

import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import type { Routes } from "../../http/routes.ts";
import { addReleaseRoutes } from "./releases.ts";
import { addMediaRequestRoutes } from "./requests.ts";
import { addMediaSettingRoutes } from "./settings.ts";
import { addTargetRoutes } from "./targets.ts";
import { addTitleRoutes } from "./titles.ts";

export function addMediaRoutes(routes: Routes, sluice: Sluice, app: MediaApp): void {
  addTitleRoutes(routes, sluice, app);
  addMediaRequestRoutes(routes, sluice, app);
  addReleaseRoutes(routes, sluice);
  addTargetRoutes(routes, sluice, app);
  addMediaSettingRoutes(routes, sluice, app);
}
