// The contract itself, made from the routes: for programs, and as a page for people; and what can go wrong.

import { createRoute, z } from "@hono/zod-openapi";
import { answers } from "../contract/common.ts";
import { list, whole } from "../contract/done.ts";
import { type ApiDocument, referencePage } from "../docs/page.ts";
import { errorCatalogue } from "../http/error-catalogue.ts";
import type { Routes } from "../http/routes.ts";

const errorEntry = z
  .object({
    code: z.string(),
    of: z.enum(["answer", "item"]).openapi({ description: "Of an answer, or of an item that failed." }),
    status: z.int().nullable(),
    sentence: z.string(),
    retry: z.boolean().openapi({ description: "Whether the same again may succeed without anybody doing anything." }),
    advice: z.string(),
  })
  .openapi("ErrorEntry");

export function addContractRoute(routes: Routes, version: string, cookie: string): void {
  const { app } = routes;
  app.openAPIRegistry.registerComponent("securitySchemes", "key", { type: "http", scheme: "bearer" });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", { type: "apiKey", in: "cookie", name: cookie });
  // Made when it is first asked for: all routes are there by then, and none is added later.
  let made: ApiDocument | undefined;
  const document = () => {
    const info = { title: "Sluice", version, description: "Durable pipelines for work that happens elsewhere." };
    // Plain JSON, as it is sent: what the page reads of it is what everybody gets.
    made ??= JSON.parse(JSON.stringify(app.getOpenAPI31Document({ openapi: "3.1.0", info }))) as ApiDocument;
    return made;
  };
  let text: string | undefined;
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/openapi.json",
      tags: ["contract"],
      summary: "This contract, as OpenAPI 3.1",
      responses: answers("The contract", z.record(z.string(), z.unknown())),
    }),
    (c) => {
      text ??= JSON.stringify(document());
      return c.body(text, 200, { "content-type": "application/json" }) as never; // it is what the schema says
    },
  );
  routes.add(
    "open",
    createRoute({
      method: "get",
      path: "/api/v1/errors",
      tags: ["contract"],
      summary: "Every code that an answer or a failed item can carry, and what to do about it",
      responses: answers("The catalogue", list(errorEntry)),
    }),
    (c) => c.json(whole(errorCatalogue()), 200),
  );
  let page: string | undefined;
  routes.add(
    "open",
    createRoute({
      method: "get",
      path: "/api/docs",
      tags: ["contract"],
      summary: "This contract, as a page",
      responses: { 200: { description: "The page", content: { "text/html": { schema: z.string() } } } },
    }),
    (c) => {
      page ??= referencePage(document(), errorCatalogue());
      return c.html(page, 200);
    },
  );
}
