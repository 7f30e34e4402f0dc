// Asking for films and series, and how that stands. What one may do to a request is the same as for every other.

import { createRoute } from "@hono/zod-openapi";
import { ask, listCards, type MediaApp, readCard } from "../../../apps/media/index.ts";
import type { Sluice } from "../../../engine/index.ts";
import { answers, jsonBody, page, requestParam } from "../../contract/common.ts";
import {
  mediaAsk,
  mediaAsked,
  mediaCard,
  mediaRequest,
  mediaRequestsQuery,
  toCard,
  toMediaRequest,
} from "../../contract/media/requests.ts";
import { principalOf, type Routes } from "../../http/routes.ts";
import { ownerFor, requestMeant } from "../ownership.ts";

export function addMediaRequestRoutes(routes: Routes, sluice: Sluice, app: MediaApp): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/media/requests",
      tags: ["media"],
      summary: "What people asked for, newest first",
      request: { query: mediaRequestsQuery },
      responses: answers("A page of it", page(mediaCard)),
    }),
    async (c) => {
      const { user } = principalOf(c.get("principal"));
      const wanted = { ...c.req.valid("query"), me: user };
      const { entries, next } = await listCards(sluice, wanted, { owner: ownerFor(c) ?? null });
      return c.json({ entries: entries.map(toCard), next }, 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/media/requests/{request}",
      tags: ["media"],
      summary: "A film or a series that was asked for, with every episode",
      request: { params: requestParam },
      responses: answers("The request", mediaRequest),
    }),
    async (c) => {
      const id = await requestMeant(sluice, c, c.req.valid("param").request);
      return c.json(toMediaRequest(await readCard(sluice, id, { owner: ownerFor(c) ?? null })), 200);
    },
  );
  addAsk(routes, sluice, app);
}

function addAsk(routes: Routes, sluice: Sluice, { media, series, store, services }: MediaApp): void {
  const told = "It is under way or there already; or, of a dry run, what would be done";
  const { 200: done, default: wrong } = answers(told, mediaAsked);
  routes.add(
    "submit",
    createRoute({
      method: "post",
      path: "/api/v1/media/requests",
      tags: ["media"],
      summary: "Asks for a film, a series, or some of its seasons or episodes",
      description: "What others asked for is joined, and what they did not ask for is added to it.",
      request: jsonBody(mediaAsk),
      responses: { 200: done, 201: { ...done, description: "It is asked for" }, default: wrong },
    }),
    async (c) => {
      const asked = c.req.valid("json");
      const by = { owner: principalOf(c.get("principal")).user, dryRun: c.get("isDry") };
      const answer = await ask({ sluice, media, series, store, services }, asked, by);
      const { request, outcome } = answer;
      const { kind, tmdb } = asked;
      c.set("deed", { action: "media.ask", subject: request ?? `${kind}:${tmdb}`, detail: { kind, tmdb, outcome } });
      if (request !== null) c.header("location", `/api/v1/media/requests/${request}`);
      return c.json(answer, outcome === "new" && !by.dryRun ? 201 : 200);
    },
  );
}
