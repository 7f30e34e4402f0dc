// Download clients as they are set, and whether what they download is found here.

import { createRoute } from "@hono/zod-openapi";
import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers, jsonBody } from "../../contract/common.ts";
import { list, whole } from "../../contract/done.ts";
import {
  clientSetting,
  clientView,
  mediaNameParam,
  mediaTested,
  toClientView,
  toTested,
} from "../../contract/media/settings.ts";
import { tablesFor } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";
import { lookAgain } from "./look-again.ts";
import { addRemoval } from "./removal.ts";

const PATH = "/api/v1/media/clients";
const tags = ["media settings"];

export function addClientRoutes(routes: Routes, sluice: Sluice, media: MediaApp): void {
  addList(routes, sluice, media);
  addChanges(routes, sluice, media);
  addTest(routes, sluice, media);
}

function addList(routes: Routes, sluice: Sluice, { settings: { clients } }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: PATH,
      tags,
      summary: "The download clients, the preferred first",
      responses: answers("The download clients, 50 at most", list(clientView)),
    }),
    async (c) => c.json(whole((await clients.list(sluice.tables)).map(toClientView)), 200),
  );
}

function addChanges(routes: Routes, sluice: Sluice, { settings: { clients } }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: `${PATH}/{name}`,
      tags,
      summary: "Sets a download client; takes effect with the next torrent",
      description: "A password that is left out stays, as long as the address does; null takes it away.",
      request: { params: mediaNameParam, ...jsonBody(clientSetting) },
      responses: answers("The download client", clientView),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const set = await tablesFor(c, sluice.tables).transaction((tx) => clients.set(tx, name, c.req.valid("json")));
      const { kind, url, folder, is_on: on } = set;
      c.set("deed", { action: "media.client.set", subject: name, detail: { kind, url, folder, on } });
      await lookAgain(c, sluice, `torrents:${name}`);
      return c.json(toClientView(set), 200);
    },
  );
  addRemoval(routes, sluice.tables, {
    ...{ path: PATH, called: "download client", action: "media.client.remove" },
    summary: "Removes a download client, with its password; what it downloads it goes on with",
    drop: (tx, name) => clients.drop(tx, name),
  });
}

function addTest(routes: Routes, sluice: Sluice, { settings: { clients }, tests }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: `${PATH}/{name}/test`,
      tags,
      summary: "Signs in to a download client, and looks for its folder here; says what was tried",
      description:
        "Without a body: as it is set. With one: as it would be, without setting it; a password that is left out is the one that is kept for that address.",
      request: { params: mediaNameParam, ...jsonBody(clientSetting, false) },
      responses: answers("What was tried, also where it did not work", mediaTested),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const given = c.req.valid("json");
      const isSaved = given.kind === undefined;
      const keyed = await clients.keyed(sluice.tables, name, isSaved ? undefined : given);
      const { url } = keyed.row;
      const where = url ?? "the embedded client";
      if (c.get("isDry"))
        return c.json(toTested(undefined, `Would sign in to ${where}, and look for its folder here.`), 200);
      const tested = await tests.client(keyed);
      if (tested.ok && isSaved) await lookAgain(c, sluice, `torrents:${name}`);
      c.set("deed", { action: "media.client.test", subject: name, detail: { url, ok: tested.ok } });
      return c.json(toTested(tested), 200);
    },
  );
}
