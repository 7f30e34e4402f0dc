// Encoders as people see and handle them. What they themselves say goes another way.

import { createRoute } from "@hono/zod-openapi";
import type { MediaApp } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers, itemParam, jsonBody } from "../../contract/common.ts";
import { done, list, whole } from "../../contract/done.ts";
import { encoderSetting, encoderView, encodesOfItem, toEncoderView, toJobView } from "../../contract/media/encoding.ts";
import { mediaNameParam, mediaTested, toTested } from "../../contract/media/settings.ts";
import { tablesFor, toldDone } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";
import { itemMeant } from "../ownership.ts";

const PATH = "/api/v1/media/encoders";
const tags = ["media settings"];

export function addEncoderRoutes(routes: Routes, sluice: Sluice, media: MediaApp): void {
  addLooks(routes, sluice, media);
  addChanges(routes, sluice, media);
  addTest(routes, sluice, media);
}

function addLooks(routes: Routes, sluice: Sluice, { encoders }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: PATH,
      tags,
      summary: "Who encodes, what each can, and what it is doing",
      responses: answers("The encoders, 500 at most", list(encoderView)),
    }),
    async (c) => c.json(whole((await encoders.list(sluice.tables)).map(toEncoderView)), 200),
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/media/items/{item}/encodes",
      tags: ["media"],
      summary: "How the encodes of a film or an episode stand",
      request: { params: itemParam },
      responses: answers("One for each encoding, and earlier tries", list(encodesOfItem)),
    }),
    async (c) => {
      const item = await itemMeant(sluice, c, c.req.valid("param").item);
      return c.json(whole((await encoders.ofItem(sluice.tables, item)).map(toJobView)), 200);
    },
  );
}

function addChanges(routes: Routes, sluice: Sluice, { encoders }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: `${PATH}/{name}`,
      tags,
      summary: "Switches an encoder on or off; what it has it ends",
      request: { params: mediaNameParam, ...jsonBody(encoderSetting) },
      responses: answers("The encoder", encoderView),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const { isOn } = c.req.valid("json");
      const set = await tablesFor(c, sluice.tables).transaction((tx) => encoders.switch(tx, name, isOn));
      c.set("deed", { action: "media.encoder.set", subject: name, detail: { on: isOn } });
      return c.json(toEncoderView(set), 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "delete",
      path: `${PATH}/{name}`,
      tags,
      summary: "Forgets an encoder that is not online; what it had goes to others",
      request: { params: mediaNameParam },
      responses: answers("Forgotten", done),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      await tablesFor(c, sluice.tables).transaction((tx) => encoders.drop(tx, name));
      c.set("deed", { action: "media.encoder.remove", subject: name });
      return c.json(toldDone(c, `Would forget encoder ${name}.`), 200);
    },
  );
}

function addTest(routes: Routes, sluice: Sluice, { encoders, tests }: MediaApp): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: `${PATH}/{name}/test`,
      tags,
      summary: "Has an encoder try its program and look for our files; says what was tried",
      request: { params: mediaNameParam },
      responses: answers("What was tried, also where it did not work", mediaTested),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const row = await encoders.get(sluice.tables, name);
      if (c.get("isDry"))
        return c.json(toTested(undefined, `Would have ${name} try its program, and look for our files.`), 200);
      const tested = await tests.encoder(row);
      c.set("deed", { action: "media.encoder.test", subject: name, detail: { ok: tested.ok } });
      return c.json(toTested(tested), 200);
    },
  );
}
