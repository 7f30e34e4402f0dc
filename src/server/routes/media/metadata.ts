// The metadata service as it is set, and whether it takes the key.

import { createRoute } from "@hono/zod-openapi";
import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers, jsonBody } from "../../contract/common.ts";
import { mediaTested, metadataSetting, metadataView, toMetadataView, toTested } from "../../contract/media/settings.ts";
import { tablesFor } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";
import { lookAgain } from "./look-again.ts";

const PATH = "/api/v1/media/metadata";
const tags = ["media settings"];

export function addMetadataRoutes(routes: Routes, sluice: Sluice, media: MediaApp): void {
  const { metadata } = media.settings;
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: PATH,
      tags,
      summary: "Where titles and air dates come from",
      responses: answers("The metadata service", metadataView),
    }),
    async (c) => c.json(toMetadataView(await metadata.get(sluice.tables)), 200),
  );
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: PATH,
      tags,
      summary: "Sets the metadata service; takes effect with the next question",
      description: "A key that is left out stays, as long as the address does; null takes it away.",
      request: jsonBody(metadataSetting),
      responses: answers("The metadata service", metadataView),
    }),
    async (c) => {
      const set = await tablesFor(c, sluice.tables).transaction((tx) => metadata.set(tx, c.req.valid("json")));
      const { url, language, has_key: hasKey } = set;
      c.set("deed", { action: "media.metadata.set", subject: "metadata", detail: { url, language, hasKey } });
      await lookAgain(c, sluice, "metadata");
      return c.json(toMetadataView(set), 200);
    },
  );
  addTest(routes, sluice, media);
}

function addTest(routes: Routes, sluice: Sluice, { settings: { metadata }, tests }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: `${PATH}/test`,
      tags,
      summary: "Uses the key, and searches for a film; says what was tried",
      description:
        "Without a body: as it is set. With one: as it would be, without setting it; a key that is left out is the one that is kept for that address.",
      request: jsonBody(metadataSetting, false),
      responses: answers("What was tried, also where it did not work", mediaTested),
    }),
    async (c) => {
      const given = c.req.valid("json");
      const isSaved = given.language === undefined;
      const keyed = await metadata.keyed(sluice.tables, isSaved ? undefined : given);
      const where = keyed.row.url ?? "TMDB";
      if (c.get("isDry")) return c.json(toTested(undefined, `Would search ${where} for a film, with the key.`), 200);
      const tested = await tests.metadata(keyed);
      if (tested.ok && isSaved) await lookAgain(c, sluice, "metadata");
      c.set("deed", { action: "media.metadata.test", subject: "metadata", detail: { url: where, ok: tested.ok } });
      return c.json(toTested(tested), 200);
    },
  );
}
