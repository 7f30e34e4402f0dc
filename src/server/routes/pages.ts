// The dashboard, for whoever opens the server's address in a browser. Its files are the same for everybody and hold nothing of
// anybody's: what they show, they ask the API for.

import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { SluiceError } from "../../engine/index.ts";
import type { Env } from "../http/env.ts";
import type { Routes } from "../http/routes.ts";
import type { Dashboard, DashboardFile } from "../pages/dashboard.ts";
import { landingPage } from "../pages/pages.ts";

export function addPageRoutes(routes: Routes, version: string, dashboard: Dashboard | undefined): void {
  if (dashboard === undefined) {
    routes.add("open", { ...fileRoute("/"), hide: false }, (c) => c.html(landingPage(version), 200));
    return;
  }
  const paths = [...dashboard.files.keys()].filter((path) => !path.startsWith("/assets/") && path !== "/index.html");
  for (const path of ["/", ...paths]) routes.add("open", fileRoute(path), (c) => send(c, fileAt(dashboard, path)));
  routes.add("open", fileRoute("/assets/{file}"), (c) => send(c, fileAt(dashboard, c.req.path)));
}

/** Not in the contract: they are for browsers alone. */
const fileRoute = (path: string) =>
  createRoute({
    method: "get",
    path,
    hide: true,
    tags: ["contract"],
    summary: "A page",
    responses: { 200: { description: "The file", content: { "text/html": { schema: z.string() } } } },
  });

function fileAt({ page, files }: Dashboard, path: string): DashboardFile {
  const file = path === "/" ? page : files.get(path);
  if (file === undefined)
    throw new SluiceError("NOT_FOUND", "there is no such file; reload the page, it may be from an older version");
  return file;
}

/** An address that no route has is a page of the dashboard, where a person goes there; a program is told that it is none. */
export function isPageVisit(c: Context<Env>): boolean {
  const { method, path } = c.req;
  return method === "GET" && !path.startsWith("/api/") && (c.req.header("accept") ?? "").includes("text/html");
}

/** A proxy that packed it by itself marks its name as weak. */
function hasAlready(known: string | undefined, etag: string): boolean {
  return (known ?? "").split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

export function send(c: Context<Env>, { type, whole, packed, etag, isNamedByContent }: DashboardFile) {
  c.header("cache-control", isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache");
  const takesPacked = packed !== undefined && /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
  // Other bytes have another name.
  const named = takesPacked ? etag.replace(/"$/, '-gz"') : etag;
  c.header("etag", named);
  c.header("vary", "accept-encoding");
  if (hasAlready(c.req.header("if-none-match"), named)) return c.body(null, 304) as never; // which has no body to have a type
  c.header("content-type", type);
  if (takesPacked) c.header("content-encoding", "gzip");
  return c.body(takesPacked ? packed : whole, 200) as never; // bytes, which the contract does not tell of
}
