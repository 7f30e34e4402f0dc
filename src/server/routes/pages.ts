// Pages for whoever opens the server's address in a browser.

import { createRoute, z } from "@hono/zod-openapi";
import type { Routes } from "../http/routes.ts";
import { landingPage, SETUP_PAGE, SETUP_SCRIPT } from "../pages/pages.ts";

export function addPageRoutes(routes: Routes, version: string): void {
  addPage(routes, "/", "text/html", landingPage(version), "Where one lands");
  addPage(
    routes,
    "/setup",
    "text/html",
    SETUP_PAGE,
    "Where the first account is made, by the link that the first start printed",
  );
  addPage(routes, "/setup.js", "text/javascript", SETUP_SCRIPT, "What that page does");
}

function addPage(routes: Routes, path: string, type: string, text: string, summary: string): void {
  routes.add(
    "open",
    createRoute({
      method: "get",
      path,
      tags: ["contract"],
      summary,
      responses: { 200: { description: "The page", content: { [type]: { schema: z.string() } } } },
    }),
    (c) => c.body(text, 200, { "content-type": `${type}; charset=utf-8` }),
  );
}
