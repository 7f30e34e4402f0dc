// What was found for a film or an episode, and what a person wants of it.

import { createRoute } from "@hono/zod-openapi";
import { chooseRelease, releasesOf, releasesSentence, searchAgain } from "../../../apps/media/index.ts";
import { type ItemId, type Sluice, SluiceError } from "../../../engine/index.ts";
import { isAllowed } from "../../access/principal.ts";
import { acted } from "../../contract/acted.ts";
import { answers, itemParam, jsonBody } from "../../contract/common.ts";
import { mediaChoice, mediaReleases, toReleases } from "../../contract/media/releases.ts";
import { principalOf, type Routes } from "../../http/routes.ts";
import { act } from "../acting.ts";
import { itemMeant, ownerFor } from "../ownership.ts";

const RESPONSES = answers("Done; or, of a dry run, what would be done", acted);

export function addReleaseRoutes(routes: Routes, sluice: Sluice): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/media/items/{item}/releases",
      tags: ["media"],
      summary: "What was found for a film or an episode, what was taken, and why the rest was not",
      request: { params: itemParam },
      responses: answers("All of it", mediaReleases),
    }),
    async (c) => {
      const item = await mediaItem(sluice, await itemMeant(sluice, c, c.req.valid("param").item));
      const releases = await releasesOf(sluice.tables, item.id);
      const why = ownerFor(c) === undefined ? item.wait.sentence : item.wait.discreetSentence;
      const canChoose = isAllowed(principalOf(c.get("principal")), "operate");
      return c.json(toReleases(releases, releasesSentence(item, releases, why), canChoose), 200);
    },
  );
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/media/items/{item}/choose",
      tags: ["media"],
      summary: "Takes another release than was taken, also one that was refused",
      description: "A download that is under way is given up, and what it has fetched is removed.",
      request: { params: itemParam, ...jsonBody(mediaChoice) },
      responses: RESPONSES,
    }),
    async (c) => {
      const { id: item } = await mediaItem(sluice, await itemMeant(sluice, c, c.req.valid("param").item));
      const detail = c.req.valid("json");
      const acting = { action: "media.choose", subject: item, detail, item };
      return c.json(await act(sluice, c, acting, (by) => chooseRelease(sluice, item, detail.release, by)), 200);
    },
  );
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/media/items/{item}/search",
      tags: ["media"],
      summary: "Searches for it again now, at all indexers",
      request: { params: itemParam },
      responses: RESPONSES,
    }),
    async (c) => {
      const { id: item } = await mediaItem(sluice, await itemMeant(sluice, c, c.req.valid("param").item));
      const acting = { action: "media.search", subject: item, item };
      return c.json(await act(sluice, c, acting, (by) => searchAgain(sluice, item, by)), 200);
    },
  );
}

async function mediaItem(sluice: Sluice, id: ItemId) {
  const item = await sluice.item(id);
  if (item.pipeline === "media") return item;
  throw new SluiceError("NOT_FOUND", `${id} is no film and no episode`, { field: "item" });
}
