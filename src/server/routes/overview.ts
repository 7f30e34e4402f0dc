// A first look: how everything stands, in one bounded read. To a member, how their own items stand.

import { createRoute } from "@hono/zod-openapi";
import type { Sluice } from "../../engine/index.ts";
import { ownOnly } from "../access/principal.ts";
import { answers } from "../contract/common.ts";
import { list, whole } from "../contract/done.ts";
import { diagnosis, overview, stuckItem, toDiagnosis, toStuck } from "../contract/overview.ts";
import { toValves } from "../contract/pipelines.ts";
import { toService } from "../contract/services.ts";
import { formerLives } from "../contract/worker-lives.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { databaseFacts } from "./database.sql.ts";
import { ownerFor } from "./ownership.ts";
import { inLine } from "./services.ts";

/** What it tells of itself. */
interface Self {
  readonly version: string;
  readonly hasSandbox: boolean;
  readonly apps: string[];
}

export function addOverviewRoutes(routes: Routes, sluice: Sluice, self: Self): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/overview",
      tags: ["overview"],
      summary: "How everything stands: pipelines, services that are not well, workers, what needs somebody",
      responses: answers("A first look", overview),
    }),
    async (c) => {
      const own = ownOnly(principalOf(c.get("principal")));
      return c.json(await look(sluice, own, self), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/stuck",
      tags: ["overview"],
      summary: "Items that have stood still for an hour without a reason that passes; 100 at most",
      responses: answers("What is stuck", list(stuckItem)),
    }),
    async (c) => {
      const principal = principalOf(c.get("principal"));
      const found = await sluice.stuck({ owner: ownOnly(principal) ?? undefined });
      return c.json(whole(found.map((one) => toStuck(one, principal))), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/doctor",
      tags: ["overview"],
      summary: "Whether the engine keeps its own rules: each with what breaks it, and what to do",
      responses: answers("The diagnosis", diagnosis),
    }),
    async (c) => {
      const tellsAll = ownerFor(c) === undefined;
      return c.json(toDiagnosis(await sluice.doctor(), tellsAll), 200);
    },
  );
}

async function look(sluice: Sluice, own: string | null, self: Self) {
  const owner = own ?? undefined;
  const pipelines = await sluice.standing({ owner });
  const services = (await sluice.services()).filter((one) => one.state !== "well");
  const { behind } = services.length === 0 ? {} : await inLine(sluice, owner);
  const workers = await sluice.workers();
  const former = formerLives(workers);
  const count = (state: string) => workers.filter((one) => one.state === state && !former.has(one)).length;
  const { at, version: database, bytes } = await databaseFacts(sluice.tables);
  return {
    at: at.toISOString(),
    ...self,
    database: { version: database, bytes },
    scope: own === null ? ("all" as const) : ("own" as const),
    pipelines,
    needsYou: pipelines.reduce((sum, one) => sum + one.needsYou, 0),
    stuck: (await sluice.stuck({ owner })).length,
    services: services.map((one) => toService(one, behind?.get(one.name) ?? 0, own === null)),
    workers: { alive: count("alive"), late: count("late"), dead: count("dead") },
    closed: toValves(await sluice.valves()),
  };
}
