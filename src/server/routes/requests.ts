// One request, and what one may do to all of it.

import { createRoute } from "@hono/zod-openapi";
import type { Sluice } from "../../engine/index.ts";
import { acted } from "../contract/acted.ts";
import { priorityBody } from "../contract/actions.ts";
import { answers, jsonBody, requestParam } from "../contract/common.ts";
import { requestView, toRequestView } from "../contract/item.ts";
import type { Routes } from "../http/routes.ts";
import { act } from "./acting.ts";
import { ownerFor, requestMeant, requestToChange } from "./ownership.ts";

const RESPONSES = answers("Done; or, of a dry run, what would be done", acted);

export function addRequestRoutes(routes: Routes, sluice: Sluice): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/requests/{request}",
      tags: ["requests"],
      summary: "How a request stands",
      request: { params: requestParam },
      responses: answers("The request", requestView),
    }),
    async (c) => {
      const id = await requestMeant(sluice, c, c.req.valid("param").request);
      const owner = ownerFor(c);
      return c.json(toRequestView(await sluice.request(id, { owner }), owner ?? null), 200);
    },
  );
  addCancel(routes, sluice);
  addRemove(routes, sluice);
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/requests/{request}/priority",
      tags: ["actions"],
      summary: "Lets all items of a request come sooner or later than others",
      request: { params: requestParam, ...jsonBody(priorityBody) },
      responses: RESPONSES,
    }),
    async (c) => {
      const request = await requestToChange(sluice, c, c.req.valid("param").request);
      const detail = c.req.valid("json");
      const acting = { action: "request.priority", subject: request, detail };
      return c.json(
        await act(sluice, c, acting, (options) => sluice.setPriority(request, detail.priority, options)),
        200,
      );
    },
  );
}

function addCancel(routes: Routes, sluice: Sluice): void {
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/requests/{request}/cancel",
      tags: ["actions"],
      summary: "Ends all items of a request that have not ended",
      description:
        "A member leaves a request that others asked for too, and it goes on for them; the last one ends it.",
      request: { params: requestParam },
      responses: RESPONSES,
    }),
    async (c) => {
      const request = await requestMeant(sluice, c, c.req.valid("param").request);
      const owner = ownerFor(c);
      const acting = { action: "request.cancel", subject: request };
      return c.json(
        await act(sluice, c, acting, (options) =>
          owner === undefined ? sluice.cancel(request, options) : sluice.leave(request, { ...options, owner }),
        ),
        200,
      );
    },
  );
}

function addRemove(routes: Routes, sluice: Sluice): void {
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/requests/{request}/remove",
      tags: ["actions"],
      summary: "Cancels what lives of a request, and removes it when nothing is owed outside",
      request: { params: requestParam },
      responses: RESPONSES,
    }),
    async (c) => {
      const request = await requestToChange(sluice, c, c.req.valid("param").request);
      const acting = { action: "request.remove", subject: request };
      return c.json(await act(sluice, c, acting, (options) => sluice.remove(request, options)), 200);
    },
  );
}
