// The first account, signing in and out, and who one is.

import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import type { Access } from "../access/access.ts";
import { answers, jsonBody } from "../contract/common.ts";
import { DONE, done } from "../contract/done.ts";
import { me } from "../contract/me.ts";
import { cookieOptions } from "../http/cookie.ts";
import type { Env } from "../http/env.ts";
import { principalOf, type Routes } from "../http/routes.ts";

const credentials = z.strictObject({ name: z.string().max(100), password: z.string().max(2_000) });

export function addSessionRoutes(routes: Routes, access: Access, cookie: string): void {
  const signIn = async (c: Context<Env>, name: string, password: string) => {
    // Behind a proxy only the page's origin says whether it is HTTPS; that it is our own was seen before.
    const isSecure = c.req.header("origin")?.startsWith("https:") === true;
    const agent = c.req.header("user-agent");
    const token = await access.logIn(name, password, c.get("address"), { agent, isSecure });
    // Whoever signs in anew leaves the session that this browser had.
    const before = c.get("session");
    if (before !== undefined) await access.logOut(before);
    setCookie(c, cookie, token, cookieOptions(isSecure));
  };
  routes.add(
    "open",
    createRoute({
      method: "post",
      path: "/api/v1/setup",
      tags: ["access"],
      summary: "Makes the first account, with the link that the first start printed",
      request: jsonBody(credentials.extend({ token: z.string().max(100) })),
      responses: answers("It is made, and signed in", done),
    }),
    async (c) => {
      const { token, name, password } = c.req.valid("json");
      await access.setUp(token, name, password, c.get("address"));
      await signIn(c, name, password);
      return c.json(DONE, 200);
    },
  );
  routes.add(
    "open",
    createRoute({
      method: "post",
      path: "/api/v1/session",
      tags: ["access"],
      summary: "Signs in",
      request: jsonBody(credentials),
      responses: answers("Signed in", done),
    }),
    async (c) => {
      const { name, password } = c.req.valid("json");
      await signIn(c, name, password);
      return c.json(DONE, 200);
    },
  );
  routes.add(
    "open",
    createRoute({
      method: "delete",
      path: "/api/v1/session",
      tags: ["access"],
      summary: "Signs out",
      responses: answers("Signed out", done),
    }),
    async (c) => {
      const session = c.get("session");
      const who = c.get("principal");
      if (session !== undefined) await access.logOut(session);
      if (who?.via === "session")
        await access.note({ actor: who.user, address: c.get("address"), action: "session.end", subject: who.user });
      deleteCookie(c, cookie, { path: "/" });
      return c.json(DONE, 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/me",
      tags: ["access"],
      summary: "Who one is, and what one may",
      responses: answers("You", me),
    }),
    (c) => {
      const { user, role, via, scopes } = principalOf(c.get("principal"));
      return c.json({ user, role, via, scopes: scopes === null ? null : [...scopes] }, 200);
    },
  );
}
