// Looking for films and series, and their posters.

import { createRoute, z } from "@hono/zod-openapi";
import { type MediaApp, Posters, searchTitles, seriesSeasons } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers } from "../../contract/common.ts";
import { list, whole } from "../../contract/done.ts";
import {
  mediaSeasons,
  mediaTitle,
  posterParam,
  titleParam,
  titlesQuery,
  toSeasons,
  toTitle,
} from "../../contract/media/titles.ts";
import type { Routes } from "../../http/routes.ts";
import { ownerFor } from "../ownership.ts";
import { tellingFaults } from "./faults.ts";

export function addTitleRoutes(routes: Routes, sluice: Sluice, { store, services }: MediaApp): void {
  const ports = { sluice, store, services };
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/media/titles",
      tags: ["media"],
      summary: "Films or series of that name, as the metadata service knows them",
      request: { query: titlesQuery },
      responses: answers("The best fits, the best first", list(mediaTitle)),
    }),
    async (c) => {
      const found = await tellingFaults(c, () => searchTitles(ports, c.req.valid("query"), ownerFor(c) ?? null));
      return c.json(whole(found.map(toTitle)), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/media/titles/series/{tmdb}",
      tags: ["media"],
      summary: "A series and its seasons",
      request: { params: titleParam },
      responses: answers("The series", mediaSeasons),
    }),
    async (c) => {
      const { tmdb } = c.req.valid("param");
      return c.json(toSeasons(await tellingFaults(c, () => seriesSeasons(ports, tmdb, ownerFor(c) ?? null))), 200);
    },
  );
  addPosterRoute(routes, new Posters(sluice.tables, { services }));
}

/** A picture of that name never becomes another. */
const CACHED = "private, max-age=604800, immutable";
const PICTURE = { schema: z.string().openapi({ format: "binary" }) };

function addPosterRoute(routes: Routes, posters: Posters): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/media/posters/{file}",
      tags: ["media"],
      summary: "A poster; 404 where the metadata service has none of that name",
      request: { params: posterParam },
      responses: {
        200: {
          description: "The picture",
          content: { "image/jpeg": PICTURE, "image/png": PICTURE, "image/webp": PICTURE },
        },
        default: answers("", z.object({})).default,
      },
    }),
    async (c) => {
      const { type, bytes } = await tellingFaults(c, () => posters.get(c.req.valid("param").file));
      c.header("content-type", type);
      c.header("cache-control", CACHED);
      return c.body(new Uint8Array(bytes), 200) as never; // bytes, which the contract does not tell of
    },
  );
}
