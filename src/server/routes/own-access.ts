// One's own password, sessions and keys. For people who are signed in: a key that leaked must not be able to lock its owner out,
// or to make itself another.

import { createRoute, z } from "@hono/zod-openapi";
import type { Access } from "../access/access.ts";
import { key, madeKey, newKey, ownPassword, session, toKey, toSession } from "../contract/accounts.ts";
import { answers, jsonBody, page, pageQuery } from "../contract/common.ts";
import { done } from "../contract/done.ts";
import { accessFor, toldDone } from "../http/dry-run.ts";
import { afterId, pageOf } from "../http/page.ts";
import { principalOf, type Routes } from "../http/routes.ts";

const DAY_MS = 86_400_000;
const ended = done.extend({ ended: z.int() }).openapi("Ended");

export function addOwnAccessRoutes(routes: Routes, access: Access): void {
  routes.add(
    "self",
    createRoute({
      method: "put",
      path: "/api/v1/me/password",
      tags: ["access"],
      summary: "Changes one's own password; all other sessions end",
      request: jsonBody(ownPassword),
      responses: answers("It is changed", done),
    }),
    async (c) => {
      const { old, password } = c.req.valid("json");
      const token = c.get("session") ?? "";
      const by = principalOf(c.get("principal"));
      await accessFor(c, access).changeOwnPassword(by, { old, password, token }, c.get("address"));
      c.set("deed", null);
      return c.json(toldDone(c, "Would change your password, and end all of your other sessions."), 200);
    },
  );
  addSessions(routes, access);
  addKeys(routes, access);
}

function addSessions(routes: Routes, access: Access): void {
  routes.add(
    "self",
    createRoute({
      method: "get",
      path: "/api/v1/sessions",
      tags: ["access"],
      summary: "Where one is signed in, the newest first",
      request: { query: pageQuery.strict() },
      responses: answers("A page of one's own sessions", page(session)),
    }),
    async (c) => {
      const { after, limit } = c.req.valid("query");
      const asked = { after: afterId(after) ?? undefined, limit: limit + 1 };
      const rows = await access.sessions.list(principalOf(c.get("principal")), c.get("session") ?? "", asked);
      return c.json(
        pageOf(rows, limit, toSession, ({ id }) => id),
        200,
      );
    },
  );
  routes.add(
    "self",
    createRoute({
      method: "delete",
      path: "/api/v1/sessions",
      tags: ["access"],
      summary: "Signs out everywhere else",
      responses: answers("All of one's sessions but this one have ended", ended),
    }),
    async (c) => {
      const besides = c.get("session") ?? "";
      const { sessions } = accessFor(c, access);
      const count = await sessions.endOwn(principalOf(c.get("principal")), { besides }, c.get("address"));
      c.set("deed", null);
      const would = `Would end ${count === 1 ? "1 session" : `${count} sessions`}.`;
      return c.json({ ...toldDone(c, would), ended: c.get("isDry") ? 0 : count }, 200);
    },
  );
  routes.add(
    "self",
    createRoute({
      method: "delete",
      path: "/api/v1/sessions/{session}",
      tags: ["access"],
      summary: "Ends one of one's own sessions",
      request: { params: z.object({ session: z.string().max(40) }) },
      responses: answers("It has ended", done),
    }),
    async (c) => {
      const { session: id } = c.req.valid("param");
      await accessFor(c, access).sessions.endOwn(principalOf(c.get("principal")), { id }, c.get("address"));
      c.set("deed", null);
      return c.json(toldDone(c, `Would end session ${id}.`), 200);
    },
  );
}

function addKeys(routes: Routes, access: Access): void {
  routes.add(
    "self",
    createRoute({
      method: "get",
      path: "/api/v1/keys",
      tags: ["access"],
      summary: "One's own keys; to an admin, everybody's",
      request: { query: pageQuery.strict() },
      responses: answers("A page of them, newest first, without the keys themselves", page(key)),
    }),
    async (c) => {
      const { after, limit } = c.req.valid("query");
      const asked = { after: afterId(after) ?? undefined, limit: limit + 1 };
      const rows = await access.keys(principalOf(c.get("principal")), asked);
      return c.json(
        pageOf(rows, limit, toKey, ({ id }) => id),
        200,
      );
    },
  );
  routes.add(
    "self",
    createRoute({
      method: "post",
      path: "/api/v1/keys",
      tags: ["access"],
      summary: "Makes a key for a program; it may do no more than its owner",
      request: jsonBody(newKey),
      responses: answers("The key: shown now and never again", madeKey),
    }),
    async (c) => {
      const { name, scopes, days } = c.req.valid("json");
      const asked = { name, scopes, lastsMs: days === undefined ? undefined : days * DAY_MS };
      const made = await accessFor(c, access).makeKey(principalOf(c.get("principal")), asked, c.get("address"));
      c.set("deed", null);
      return c.json({ ...toKey(made.row), key: c.get("isDry") ? null : made.key }, 200);
    },
  );
  routes.add(
    "self",
    createRoute({
      method: "delete",
      path: "/api/v1/keys/{key}",
      tags: ["access"],
      summary: "Revokes a key, at once and for good",
      request: { params: z.object({ key: z.string().max(40) }) },
      responses: answers("It lets nobody in any more", done),
    }),
    async (c) => {
      const { key: id } = c.req.valid("param");
      await accessFor(c, access).revokeKey(principalOf(c.get("principal")), id, c.get("address"));
      c.set("deed", null);
      return c.json(toldDone(c, `Would revoke key ${id}, at once and for good.`), 200);
    },
  );
}
