// Indexers as they are set, and whether they work.

import { createRoute } from "@hono/zod-openapi";
import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers, jsonBody } from "../../contract/common.ts";
import { list, whole } from "../../contract/done.ts";
import {
  indexerSetting,
  indexerView,
  mediaNameParam,
  mediaTested,
  toIndexerView,
  toTested,
} from "../../contract/media/settings.ts";
import { tablesFor } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";
import { lookAgain } from "./look-again.ts";
import { addRemoval } from "./removal.ts";

const PATH = "/api/v1/media/indexers";
const tags = ["media settings"];

export function addIndexerRoutes(routes: Routes, sluice: Sluice, media: MediaApp): void {
  addList(routes, sluice, media);
  addChanges(routes, sluice, media);
  addTest(routes, sluice, media);
}

function addList(routes: Routes, sluice: Sluice, { settings: { indexers } }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: PATH,
      tags,
      summary: "The indexers that are searched, the preferred first",
      responses: answers("The indexers, 200 at most", list(indexerView)),
    }),
    async (c) => c.json(whole((await indexers.list(sluice.tables)).map(toIndexerView)), 200),
  );
}

function addChanges(routes: Routes, sluice: Sluice, { settings: { indexers } }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: `${PATH}/{name}`,
      tags,
      summary: "Sets an indexer; takes effect at the next search",
      description: "A key that is left out stays, as long as the address does; null takes it away.",
      request: { params: mediaNameParam, ...jsonBody(indexerSetting) },
      responses: answers("The indexer", indexerView),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const set = await tablesFor(c, sluice.tables).transaction((tx) => indexers.set(tx, name, c.req.valid("json")));
      const { url, has_key: hasKey, is_on: on } = set;
      c.set("deed", { action: "media.indexer.set", subject: name, detail: { url, hasKey, on } });
      await lookAgain(c, sluice, `indexer:${name}`);
      return c.json(toIndexerView(set), 200);
    },
  );
  addRemoval(routes, sluice.tables, {
    ...{ path: PATH, called: "indexer", action: "media.indexer.remove" },
    summary: "Removes an indexer, with its key",
    drop: (tx, name) => indexers.drop(tx, name),
  });
}

function addTest(routes: Routes, sluice: Sluice, { settings: { indexers }, tests }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: `${PATH}/{name}/test`,
      tags,
      summary: "Asks an indexer what it can search, and searches it once; says what was tried",
      description:
        "Without a body: as it is set. With one: as it would be, without setting it; a key that is left out is the one that is kept for that address.",
      request: { params: mediaNameParam, ...jsonBody(indexerSetting, false) },
      responses: answers("What was tried, also where it did not work", mediaTested),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const given = c.req.valid("json");
      const isSaved = given.url === undefined;
      const keyed = await indexers.keyed(sluice.tables, name, isSaved ? undefined : given);
      if (c.get("isDry"))
        return c.json(toTested(undefined, `Would ask ${keyed.row.url} what it can search, and search it once.`), 200);
      const tested = await tests.indexer(keyed);
      if (tested.ok && isSaved) await lookAgain(c, sluice, `indexer:${name}`);
      c.set("deed", { action: "media.indexer.test", subject: name, detail: { url: keyed.row.url, ok: tested.ok } });
      return c.json(toTested(tested), 200);
    },
  );
}
