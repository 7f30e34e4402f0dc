// Servers as they are set, whether they work, and which host key they are known by.

import { createRoute } from "@hono/zod-openapi";
import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers, jsonBody } from "../../contract/common.ts";
import { done, list, whole } from "../../contract/done.ts";
import { serverSetting, serverView, toServerView } from "../../contract/media/servers.ts";
import { mediaNameParam, mediaTested, toTested } from "../../contract/media/settings.ts";
import { tablesFor, toldDone } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";
import { lookAgain } from "./look-again.ts";
import { addRemoval } from "./removal.ts";

const PATH = "/api/v1/media/servers";
const tags = ["media settings"];

export function addServerRoutes(routes: Routes, sluice: Sluice, media: MediaApp): void {
  addList(routes, sluice, media);
  addChanges(routes, sluice, media);
  addForget(routes, sluice, media);
  addTest(routes, sluice, media);
}

function addList(routes: Routes, sluice: Sluice, { settings: { servers } }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: PATH,
      tags,
      summary: "The servers that films and episodes are delivered to",
      responses: answers("The servers, 50 at most", list(serverView)),
    }),
    async (c) => c.json(whole((await servers.list(sluice.tables)).map(toServerView)), 200),
  );
}

function addChanges(routes: Routes, sluice: Sluice, { settings: { servers } }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: `${PATH}/{name}`,
      tags,
      summary: "Sets a server; takes effect with the next delivery",
      description:
        "A password or key that is left out stays, as long as host and port do; null takes it away. Giving a password takes the private key away, and the other way round. With another host or port the host key is forgotten.",
      request: { params: mediaNameParam, ...jsonBody(serverSetting) },
      responses: answers("The server", serverView),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const set = await tablesFor(c, sluice.tables).transaction((tx) => servers.set(tx, name, c.req.valid("json")));
      const { kind, host, port, root } = set;
      c.set("deed", { action: "media.server.set", subject: name, detail: { kind, host, port, root } });
      await lookAgain(c, sluice, `server:${name}`);
      return c.json(toServerView(set), 200);
    },
  );
  addRemoval(routes, sluice.tables, {
    ...{ path: PATH, called: "server", action: "media.server.remove" },
    summary: "Removes a server, with its secrets; what was delivered there stays, and what was to be is failed",
    drop: (tx, name) => servers.drop(tx, name),
  });
}

function addForget(routes: Routes, sluice: Sluice, { settings: { servers } }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "delete",
      path: `${PATH}/{name}/host-key`,
      tags,
      summary: "Forgets a server's host key; whoever answers there next is believed, and remembered",
      request: { params: mediaNameParam },
      responses: answers("Forgotten", done),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      await tablesFor(c, sluice.tables).transaction((tx) => servers.forgetHostKey(tx, name));
      c.set("deed", { action: "media.server.forget-host-key", subject: name });
      await lookAgain(c, sluice, `server:${name}`);
      return c.json(toldDone(c, `Would forget the host key of ${name}.`), 200);
    },
  );
}

function addTest(routes: Routes, sluice: Sluice, { settings: { servers }, tests }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: `${PATH}/{name}/test`,
      tags,
      summary:
        "Signs in to a server, writes, names and removes a small file, and asks its media server; says what was tried",
      description:
        "Without a body: as it is set; a host key that is seen for the first time is remembered. With one: as it would be, without setting it; a password or key that is left out is the one that is kept for that place.",
      request: { params: mediaNameParam, ...jsonBody(serverSetting, false) },
      responses: answers("What was tried, also where it did not work", mediaTested),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const given = c.req.valid("json");
      const isSaved = given.kind === undefined;
      const keyed = await servers.keyed(sluice.tables, name, isSaved ? undefined : given);
      const { host, port, root } = keyed.row;
      const where = host === null ? root : `${host}:${port}`;
      if (c.get("isDry"))
        return c.json(toTested(undefined, `Would go to ${where}, and write and remove a small file there.`), 200);
      const tested = await tests.server(keyed, isSaved);
      if (tested.ok && isSaved) await lookAgain(c, sluice, `server:${name}`);
      c.set("deed", { action: "media.server.test", subject: name, detail: { where, ok: tested.ok } });
      return c.json(toTested(tested), 200);
    },
  );
}
