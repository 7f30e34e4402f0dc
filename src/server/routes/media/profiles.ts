// Quality profiles: what is taken, and what is liked better. Whoever asks for a film may choose one of them.

import { createRoute } from "@hono/zod-openapi";
import { profiles, removeProfile, saveProfile } from "../../../apps/media/index.ts";
import type { Tables } from "../../../engine/index.ts";
import { answers, jsonBody } from "../../contract/common.ts";
import { list, whole } from "../../contract/done.ts";
import { mediaNameParam, profileSetting, profileView } from "../../contract/media/settings.ts";
import { tablesFor } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";
import { addRemoval } from "./removal.ts";

const PATH = "/api/v1/media/profiles";
const tags = ["media settings"];

export function addProfileRoutes(routes: Routes, tables: Tables): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: PATH,
      tags,
      summary: "The quality profiles; the one called standard is always there",
      responses: answers("The profiles, 101 at most", list(profileView)),
    }),
    async (c) => c.json(whole(await profiles(tables)), 200),
  );
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: `${PATH}/{name}`,
      tags,
      summary: "Sets a profile; holds for what is asked for from now on",
      description: "What is left out is as in the standard one.",
      request: { params: mediaNameParam, ...jsonBody(profileSetting) },
      responses: answers("The profile", profileView),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      const given = c.req.valid("json");
      const set = await tablesFor(c, tables).transaction((tx) => saveProfile(tx, name, given));
      c.set("deed", { action: "media.profile.set", subject: name, detail: { said: Object.keys(given) } });
      return c.json(set, 200);
    },
  );
  addRemoval(routes, tables, {
    ...{ path: PATH, called: "profile", action: "media.profile.remove" },
    summary: "Removes a profile; what was asked for with it keeps it",
    drop: removeProfile,
  });
}
