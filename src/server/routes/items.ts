// Lists of items and requests.

import { createRoute } from "@hono/zod-openapi";
import type { Sluice } from "../../engine/index.ts";
import { ownOnly } from "../access/principal.ts";
import { answers, page } from "../contract/common.ts";
import { itemLine, itemsQuery, requestLine, requestsQuery, toItemLine, toRequestLine } from "../contract/items.ts";
import { ITEM_FIELDS, REQUEST_FIELDS } from "../filter/fields.ts";
import { itemsMeant, requestsMeant } from "../filter/meaning.ts";
import { readFilter, unlessWrong } from "../http/asked-filter.ts";
import { principalOf, type Routes } from "../http/routes.ts";

export function addItemRoutes(routes: Routes, sluice: Sluice): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/items",
      tags: ["items"],
      summary: "Items, newest first",
      request: { query: itemsQuery },
      responses: answers("A page of items", page(itemLine)),
    }),
    async (c) => {
      const { after, limit, filter } = c.req.valid("query");
      const principal = principalOf(c.get("principal"));
      const own = ownOnly(principal);
      const meant = itemsMeant(readFilter(filter, ITEM_FIELDS));
      // What is another's is not there.
      if (own !== null && isAnothers(meant.owner, own)) return c.json({ entries: [], next: null }, 200);
      const found = await sluice.items(own === null ? meant : { ...meant, owner: own }, { after, limit });
      return c.json({ entries: found.entries.map((line) => toItemLine(line, principal)), next: found.next }, 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/requests",
      tags: ["requests"],
      summary: "Requests, newest first",
      request: { query: requestsQuery },
      responses: answers("A page of requests", page(requestLine)),
    }),
    async (c) => {
      const { after, limit, filter } = c.req.valid("query");
      const own = ownOnly(principalOf(c.get("principal")));
      const meant = unlessWrong(requestsMeant(readFilter(filter, REQUEST_FIELDS)));
      if (own !== null && isAnothers(meant.owner, own)) return c.json({ entries: [], next: null }, 200);
      const found = await sluice.requests(own === null ? meant : { ...meant, owner: own }, { after, limit });
      return c.json({ entries: found.entries.map((line) => toRequestLine(line, own)), next: found.next }, 200);
    },
  );
}

function isAnothers(owner: string | readonly string[] | undefined, own: string): boolean {
  return owner !== undefined && ![owner].flat().includes(own);
}
