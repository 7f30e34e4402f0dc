// Encodings: what a film may be made into. Whoever asks for one may name some of them for its targets.

import { createRoute } from "@hono/zod-openapi";
import { encodings, removeEncoding, saveEncoding } from "../../../apps/media/index.ts";
import type { Tables } from "../../../engine/index.ts";
import { answers, jsonBody } from "../../contract/common.ts";
import { list, whole } from "../../contract/done.ts";
import { encodingSetting, encodingView, toEncodingView } from "../../contract/media/encoding.ts";
import { mediaNameParam } from "../../contract/media/settings.ts";
import { tablesFor } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";
import { addRemoval } from "./removal.ts";

const PATH = "/api/v1/media/encodings";
const tags = ["media settings"];

export function addEncodingRoutes(routes: Routes, tables: Tables): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: PATH,
      tags,
      summary: "What a film may be encoded as; h264, hevc and av1 are always there",
      responses: answers("The encodings, 103 at most", list(encodingView)),
    }),
    async (c) => c.json(whole((await encodings(tables)).map(toEncodingView)), 200),
  );
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: `${PATH}/{name}`,
      tags,
      summary: "Sets an encoding; holds for what is asked for from now on",
      description: "What is left out is as it usually is with that codec.",
      request: { params: mediaNameParam, ...jsonBody(encodingSetting) },
      responses: answers("The encoding", encodingView),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const given = c.req.valid("json");
      const set = await tablesFor(c, tables).transaction((tx) => saveEncoding(tx, name, given));
      c.set("deed", { action: "media.encoding.set", subject: name, detail: { said: Object.keys(given) } });
      return c.json(toEncodingView(set), 200);
    },
  );
  addRemoval(routes, tables, {
    ...{ path: PATH, called: "encoding", action: "media.encoding.remove" },
    summary: "Removes an encoding, or what was changed of one that comes along; what was asked for with it keeps it",
    drop: removeEncoding,
  });
}
