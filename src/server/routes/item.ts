// One item: how it stands, why, what happened, and when it will be done.

import { createRoute, z } from "@hono/zod-openapi";
import type { Sluice } from "../../engine/index.ts";
import { answers, itemParam } from "../contract/common.ts";
import { explanation, toExplanation } from "../contract/explanation.ts";
import { itemView, toItemView } from "../contract/item.ts";
import { estimate, historyPage, notesPage, toEstimate, toHistory, toNotesPage } from "../contract/past.ts";
import { possibleActions, toPossible } from "../contract/possible.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { itemMeant, ownerFor } from "./ownership.ts";

export function addItemRoute(routes: Routes, sluice: Sluice): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/items/{item}",
      tags: ["items"],
      summary: "How an item stands, and why",
      request: { params: itemParam },
      responses: answers("The item", itemView),
    }),
    async (c) => {
      const id = await itemMeant(sluice, c, c.req.valid("param").item);
      const item = await sluice.item(id, { owner: ownerFor(c) });
      return c.json(toItemView(item, principalOf(c.get("principal"))), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/items/{item}/explain",
      tags: ["items"],
      summary: "Why an item is where it is, in a sentence",
      request: { params: itemParam, query: z.object({ timeZone: z.string().max(100).optional() }) },
      responses: answers("The reason", explanation),
    }),
    async (c) => {
      const id = await itemMeant(sluice, c, c.req.valid("param").item);
      const { timeZone } = c.req.valid("query");
      const why = await sluice.explain(id, timeZone === undefined ? {} : { timeZone });
      return c.json(toExplanation(why, principalOf(c.get("principal"))), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/items/{item}/actions",
      tags: ["actions"],
      summary: "Everything that can be done to an item, and why not where it cannot be done now",
      description: "What the dry runs of all of them would say, in one answer.",
      request: { params: itemParam },
      responses: answers("All actions", possibleActions),
    }),
    async (c) => {
      const id = await itemMeant(sluice, c, c.req.valid("param").item);
      const principal = principalOf(c.get("principal"));
      const possible = await sluice.possible(id, { by: principal.user, asOwner: ownerFor(c) });
      return c.json(toPossible(id, possible, principal), 200);
    },
  );
  addPastRoutes(routes, sluice);
}

function addPastRoutes(routes: Routes, sluice: Sluice): void {
  const pages = { after: z.string().max(100).optional(), limit: z.coerce.number().int().min(1).max(200).default(100) };
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/items/{item}/history",
      tags: ["items"],
      summary: "What happened to an item, oldest first",
      description: "With `order=newest` the pages begin with what happened last and go back from there.",
      request: {
        params: itemParam,
        query: z.strictObject({ ...pages, order: z.enum(["oldest", "newest"]).default("oldest") }),
      },
      responses: answers("A page of it", historyPage),
    }),
    async (c) => {
      const id = await itemMeant(sluice, c, c.req.valid("param").item);
      return c.json(toHistory(await sluice.history(id, c.req.valid("query"))), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/items/{item}/logs",
      tags: ["items"],
      summary: "What the visits of an item noted, oldest first; also while they run",
      request: {
        params: itemParam,
        query: z.strictObject({
          after: z.string().max(20).optional(),
          limit: z.coerce.number().int().min(1).max(20).default(20),
        }),
      },
      responses: answers("Of the newest visits that noted anything, or of the first after a place", notesPage),
    }),
    async (c) => {
      const id = await itemMeant(sluice, c, c.req.valid("param").item);
      const { after, limit } = c.req.valid("query");
      return c.json(toNotesPage(await sluice.logs(id, { limit, after }), after), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/items/{item}/estimate",
      tags: ["items"],
      summary: "When an item will be done, or why nobody can say",
      request: { params: itemParam },
      responses: answers("The estimate", estimate),
    }),
    async (c) => c.json(toEstimate(await sluice.estimate(await itemMeant(sluice, c, c.req.valid("param").item))), 200),
  );
}
