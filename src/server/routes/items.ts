// Items and requests, read.

import { createRoute } from "@hono/zod-openapi";
import type { ItemFilter, RequestFilter, Sluice } from "../../engine/index.ts";
import { ownOnly } from "../access/principal.ts";
import { answers, page } from "../contract/common.ts";
import { itemLine, itemsQuery, requestLine, requestsQuery, toItemLine, toRequestLine } from "../contract/items.ts";
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
      const { after, limit, owner, ...filter } = c.req.valid("query");
      const own = ownOnly(principalOf(c.get("principal")));
      // What is another's is not there.
      if (own !== null && owner !== undefined && owner !== own) return c.json({ entries: [], next: null }, 200);
      const found = await sluice.items({ ...filter, owner: own ?? owner } as ItemFilter, { after, limit });
      return c.json({ entries: found.entries.map(toItemLine), next: found.next }, 200);
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
      const { after, limit, owner, ...filter } = c.req.valid("query");
      const own = ownOnly(principalOf(c.get("principal")));
      if (own !== null && owner !== undefined && owner !== own) return c.json({ entries: [], next: null }, 200);
      const found = await sluice.requests({ ...filter, owner: own ?? owner } as RequestFilter, { after, limit });
      return c.json(
        {
          entries: found.entries.map((line) => toRequestLine(own === null ? line : { ...line, owners: [own] })),
          next: found.next,
        },
        200,
      );
    },
  );
}
