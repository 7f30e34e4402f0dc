// One item and one request: how they stand, why, what happened, and what one may do about it.

import { createRoute, z } from "@hono/zod-openapi";
import type { ItemId, RequestId, Sluice } from "../../engine/index.ts";
import { ownOnly, type Principal } from "../access/principal.ts";
import { acted, dryRun, toActed } from "../contract/acted.ts";
import { answers } from "../contract/common.ts";
import { explanation, itemView, toExplanation, toItemView } from "../contract/item.ts";
import { requestLine } from "../contract/items.ts";
import { principalOf, type Routes } from "../http/routes.ts";

const itemParam = z.object({ item: z.string().max(40) });
const requestParam = z.object({ request: z.string().max(40) });
const ACTIONS = {
  retry: "Begins a new series of attempts for a failed item",
  cancel: "Ends an item that has not ended",
  "take-back": "Takes an item from the worker that holds it; it queues again",
  "run-once": "Lets one item through a switch, pause or hold",
} as const;

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
      const item = await visible(sluice, principalOf(c.get("principal")), c.req.valid("param").item);
      return c.json(toItemView(item, await sluice.explain(item.id)), 200);
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
      const item = await visible(sluice, principalOf(c.get("principal")), c.req.valid("param").item);
      const { timeZone } = c.req.valid("query");
      return c.json(toExplanation(await sluice.explain(item.id, timeZone === undefined ? {} : { timeZone })), 200);
    },
  );
  for (const action of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) addAction(routes, sluice, action);
}

function addAction(routes: Routes, sluice: Sluice, action: keyof typeof ACTIONS): void {
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: `/api/v1/items/{item}/${action}`,
      tags: ["actions"],
      summary: ACTIONS[action],
      request: { params: itemParam, query: dryRun },
      responses: answers("Done; or, of a dry run, what would be done", acted),
    }),
    async (c) => {
      const principal = principalOf(c.get("principal"));
      const { id } = await visible(sluice, principal, c.req.valid("param").item);
      const options = { by: principal.user, dryRun: c.req.valid("query").dryRun };
      const act = { retry: "retry", cancel: "cancel", "take-back": "takeBack", "run-once": "runOnce" } as const;
      return c.json(toActed(await sluice[act[action]](id, options)), 200);
    },
  );
}

export function addRequestRoute(routes: Routes, sluice: Sluice): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/requests/{request}",
      tags: ["requests"],
      summary: "How a request stands",
      request: { params: requestParam },
      responses: answers("The request", requestLine.extend({ progress: z.number() })),
    }),
    async (c) => {
      const own = ownOnly(principalOf(c.get("principal"))) ?? undefined;
      const asked = c.req.valid("param").request as RequestId; // what is none is refused
      const { removal: _, createdAt, owners, ...view } = await sluice.request(asked, { owner: own });
      // Who else asked for the same is nobody's business.
      return c.json(
        { ...view, owners: own === undefined ? [...owners] : [own], createdAt: createdAt.toISOString() },
        200,
      );
    },
  );
}

/** Another's item is as unknown as one that never was. */
async function visible(sluice: Sluice, principal: Principal, id: string) {
  return await sluice.item(id as ItemId, { owner: ownOnly(principal) ?? undefined }); // what is none is refused
}
