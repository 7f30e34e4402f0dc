// One action on many items, found by a filter: looked at first, begun, watched, stopped.

import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  type Action,
  type BulkFilter,
  InputError,
  type ItemId,
  type OperationId,
  type Sluice,
  SluiceError,
} from "../../engine/index.ts";
import { ownOnly, type Principal } from "../access/principal.ts";
import { bulkBody } from "../contract/actions.ts";
import {
  member,
  OUTCOMES,
  operation,
  operationParam,
  ordered,
  toMember,
  toOperation,
  toPreview,
} from "../contract/bulk.ts";
import { answers, jsonBody, page, pageQuery } from "../contract/common.ts";
import { ITEM_FIELDS } from "../filter/fields.ts";
import { bulkMeant } from "../filter/meaning.ts";
import { readFilter, unlessWrong } from "../http/asked-filter.ts";
import type { Env } from "../http/env.ts";
import { pageOf } from "../http/page.ts";
import { TellingError } from "../http/problem.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { ownerFor } from "./ownership.ts";

export function addBulkRoutes(routes: Routes, sluice: Sluice): void {
  const { 200: seen, default: wrong } = answers("What would come of it", ordered);
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/bulk",
      tags: ["bulk"],
      summary: "One action on all items that a filter finds",
      request: jsonBody(bulkBody),
      responses: { 200: seen, 202: { ...seen, description: "It is begun, and any worker does it" }, default: wrong },
    }),
    async (c) => {
      const body = c.req.valid("json");
      const principal = principalOf(c.get("principal"));
      const filter = filterOf(body.filter, principal);
      const action = body.action as Action; // with exactly the fields of its type, as was checked
      const options = { by: principal.user, asOwner: ownOnly(principal) ?? undefined };
      if (c.get("isDry")) {
        const preview = toPreview(await sluice.bulk.preview(action, filter, options));
        return c.json({ operation: null, preview }, 200);
      }
      const id = await sluice.bulk.start(action, filter, { ...options, expected: body.expected });
      c.set("deed", { action: "bulk.start", subject: id, detail: body });
      c.header("location", `/api/v1/bulk/${id}`);
      return c.json({ operation: toOperation(await sluice.bulk.get(id)), preview: null }, 202);
    },
  );
  addReads(routes, sluice);
  addStop(routes, sluice);
}

/** Members reach their own alone; and nobody means everything by saying nothing. */
function filterOf(text: string, principal: Principal): BulkFilter {
  const filter = unlessWrong(bulkMeant(readFilter(text, ITEM_FIELDS)));
  if (Object.keys(filter).length === 0) throw new InputError("filter", "filter: say which items are meant");
  const own = ownOnly(principal);
  if (own !== null && filter.owner !== undefined && filter.owner !== own)
    throw new SluiceError("FORBIDDEN", "members act on what is theirs; leave owner out of the filter");
  return own === null ? filter : { ...filter, owner: own };
}

function addReads(routes: Routes, sluice: Sluice): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/bulk",
      tags: ["bulk"],
      summary: "Operations on many items, newest first",
      request: { query: pageQuery.strict() },
      responses: answers("A page of operations", page(operation)),
    }),
    async (c) => {
      const { after, limit } = c.req.valid("query");
      const before = after === undefined ? {} : { before: after as OperationId }; // what is none is refused
      const found = await sluice.bulk.list({ ...before, limit: limit + 1, of: ownerFor(c) });
      return c.json(
        pageOf(found, limit, toOperation, ({ id }) => id),
        200,
      );
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/bulk/{operation}",
      tags: ["bulk"],
      summary: "How far an operation is",
      request: { params: operationParam },
      responses: answers("The operation", operation),
    }),
    async (c) => c.json(toOperation(await visible(sluice, c, c.req.valid("param").operation)), 200),
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/bulk/{operation}/members",
      tags: ["bulk"],
      summary: "What came of each item, in their order",
      request: { params: operationParam, query: pageQuery.extend({ outcome: z.enum(OUTCOMES).optional() }).strict() },
      responses: answers("A page of members", page(member)),
    }),
    async (c) => {
      const { id } = await visible(sluice, c, c.req.valid("param").operation);
      const { after, limit, outcome } = c.req.valid("query");
      const found = await sluice.bulk.results(id, {
        ...(after === undefined ? {} : { after: after as ItemId }), // what is none is refused
        ...(outcome === undefined ? {} : { outcome }),
        limit: limit + 1,
      });
      return c.json(
        pageOf(found, limit, toMember, ({ item }) => item),
        200,
      );
    },
  );
}

function addStop(routes: Routes, sluice: Sluice): void {
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/bulk/{operation}/stop",
      tags: ["bulk"],
      summary: "Leaves alone what an operation has not begun",
      request: { params: operationParam },
      responses: answers("The operation", operation),
    }),
    async (c) => {
      const found = await visible(sluice, c, c.req.valid("param").operation);
      if (c.get("isDry") && found.state === "running") return c.json(toOperation(found), 200);
      const stopped =
        found.state === "running"
          ? await sluice.bulk.stop(found.id, { by: principalOf(c.get("principal")).user })
          : { ok: false as const, reason: "it is over already" };
      if (!stopped.ok) throw new TellingError("REFUSED", stopped.reason, {});
      c.set("deed", { action: "bulk.stop", subject: found.id });
      return c.json(toOperation(await sluice.bulk.get(found.id)), 200);
    },
  );
}

/** Members see what they began. */
async function visible(sluice: Sluice, c: Context<Env>, id: string) {
  return await sluice.bulk.get(id as OperationId, { of: ownerFor(c) }); // what is none is refused
}
