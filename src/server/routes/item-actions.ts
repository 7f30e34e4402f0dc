// What one may do to an item.

import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ActionOptions, ActionResult, ItemId, Sluice } from "../../engine/index.ts";
import { acted } from "../contract/acted.ts";
import { priorityBody, replayBody, skipBody } from "../contract/actions.ts";
import { answers, itemParam, jsonBody } from "../contract/common.ts";
import type { Env } from "../http/env.ts";
import type { Routes } from "../http/routes.ts";
import { act, type ByWhom } from "./acting.ts";
import { itemMeant } from "./ownership.ts";

const PLAIN = {
  retry: { summary: "Begins a new series of attempts for a failed item", does: "retry" },
  cancel: { summary: "Ends an item that has not ended", does: "cancel" },
  "take-back": { summary: "Takes an item from the worker that holds it; it queues again", does: "takeBack" },
  "run-once": { summary: "Lets one item through a switch, pause or hold", does: "runOnce" },
  "retry-parts": {
    summary: "Begins a new series for every failed part of an item, and for nothing else",
    does: "retryParts",
  },
} as const;

export function addItemActions(routes: Routes, sluice: Sluice): void {
  for (const [name, { summary, does }] of Object.entries(PLAIN))
    addPlain(routes, sluice, { path: `/api/v1/items/{item}/${name}`, name, summary, does });
  // As others call it.
  addPlain(routes, sluice, { path: "/api/jobs/{item}/retry", name: "retry", ...PLAIN.retry });
  addReplay(routes, sluice);
  addSkip(routes, sluice);
  addPriority(routes, sluice);
}

interface Plain {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly does: (typeof PLAIN)[keyof typeof PLAIN]["does"];
}

const RESPONSES = answers("Done; or, of a dry run, what would be done", acted);

function addPlain(routes: Routes, sluice: Sluice, { path, name, summary, does }: Plain): void {
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path,
      tags: ["actions"],
      summary,
      request: { params: itemParam },
      responses: RESPONSES,
    }),
    async (c) => {
      const { item } = c.req.valid("param");
      const work = (id: ItemId, options: ActionOptions) => sluice[does](id, options);
      return c.json(await actOnItem(sluice, c, { name, item }, work), 200);
    },
  );
}

interface Order {
  readonly name: string;
  readonly item: string;
  readonly detail?: unknown;
}

async function actOnItem(
  sluice: Sluice,
  c: Context<Env>,
  order: Order,
  work: (id: ItemId, options: ByWhom) => Promise<ActionResult>,
) {
  const { name, detail } = order;
  const item = await itemMeant(sluice, c, order.item);
  const acting = { action: `item.${name}`, subject: item, detail, item };
  return await act(sluice, c, acting, (options) => work(item, options));
}

function addReplay(routes: Routes, sluice: Sluice): void {
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/items/{item}/replay",
      tags: ["actions"],
      summary: "Does an item again from a stage on, in place or as a copy",
      request: { params: itemParam, ...jsonBody(replayBody) },
      responses: RESPONSES,
    }),
    async (c) => {
      const detail = c.req.valid("json");
      const { onto, ...how } = detail;
      const order = { name: "replay", item: c.req.valid("param").item, detail };
      return c.json(
        await actOnItem(sluice, c, order, (id, options) =>
          sluice.replay(id, { ...options, ...how, ...(onto === undefined ? {} : { onto }) }),
        ),
        200,
      );
    },
  );
}

function addSkip(routes: Routes, sluice: Sluice): void {
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/items/{item}/skip",
      tags: ["actions"],
      summary: "Leaves out the stage an item waits in",
      request: { params: itemParam, ...jsonBody(skipBody) },
      responses: RESPONSES,
    }),
    async (c) => {
      const detail = c.req.valid("json");
      const { reason, stage } = detail;
      const order = { name: "skip", item: c.req.valid("param").item, detail };
      return c.json(
        await actOnItem(sluice, c, order, (id, options) =>
          sluice.skip(id, { ...options, reason, ...(stage === undefined ? {} : { stage }) }),
        ),
        200,
      );
    },
  );
}

function addPriority(routes: Routes, sluice: Sluice): void {
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/items/{item}/priority",
      tags: ["actions"],
      summary: "Lets an item come sooner or later than others",
      request: { params: itemParam, ...jsonBody(priorityBody) },
      responses: RESPONSES,
    }),
    async (c) => {
      const detail = c.req.valid("json");
      const order = { name: "priority", item: c.req.valid("param").item, detail };
      return c.json(
        await actOnItem(sluice, c, order, (id, options) => sluice.setPriority(id, detail.priority, options)),
        200,
      );
    },
  );
}
