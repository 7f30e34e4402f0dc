// Services and workers: how they stand, and a look at a service that is down.

import { createRoute, z } from "@hono/zod-openapi";
import { type Sluice, SluiceError, workerPlace } from "../../engine/index.ts";
import { isAllowed } from "../access/principal.ts";
import { answers, page, pageQuery, text } from "../contract/common.ts";
import { done, list, whole } from "../contract/done.ts";
import { ownAffected, ownBehind } from "../contract/own-view.ts";
import {
  serviceDetail,
  serviceState,
  serviceTested,
  toService,
  toServiceDetail,
  toWorker,
  workerState,
} from "../contract/services.ts";
import { doUnlessDry } from "../http/dry-run.ts";
import { pageOf } from "../http/page.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { named } from "./named.ts";
import { ownerFor } from "./ownership.ts";

type Ports = Pick<
  Sluice,
  "services" | "service" | "behindServices" | "ownStages" | "checkService" | "testService" | "workers"
>;

export function addServiceRoutes(routes: Routes, sluice: Ports): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/services",
      tags: ["services"],
      summary: "How the services stand that pipelines use, and how many items wait for each",
      responses: answers("All of them, by name", list(serviceState)),
    }),
    async (c) => {
      const tellsAll = ownerFor(c) === undefined;
      const { behind } = await inLine(sluice, ownerFor(c));
      const services = await sluice.services();
      return c.json(whole(services.map((one) => toService(one, behind.get(one.name) ?? 0, tellsAll))), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/services/{service}",
      tags: ["services"],
      summary: "One service: what it last said, what it holds up, when its breaker turned, how long its calls take",
      request: { params: z.object({ service: text }) },
      responses: answers("The service", serviceDetail),
    }),
    async (c) => {
      const tellsAll = ownerFor(c) === undefined;
      const service = await sluice.service(c.req.valid("param").service, { errors: tellsAll });
      const { behind, own } = await inLine(sluice, ownerFor(c));
      const affects = own === undefined ? service.affects : ownAffected(service.affects, service.name, own);
      return c.json(toServiceDetail({ ...service, affects }, behind.get(service.name) ?? 0, tellsAll), 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/services/{service}/check",
      tags: ["services"],
      summary: "Has a service that is down looked at now, instead of when its time comes",
      request: { params: z.object({ service: text }) },
      responses: answers("A worker looks at it as soon as it can", done),
    }),
    async (c) => {
      const { service } = c.req.valid("param");
      const found = named("service", service, await sluice.services());
      const refused = () => new SluiceError("REFUSED", `${service} is not down; calls of it show how it is`);
      if (found.state !== "down") throw refused();
      const { user } = principalOf(c.get("principal"));
      const would = `A worker would look at ${service} now, instead of at ${found.until?.toISOString() ?? "its time"}.`;
      const acted = await doUnlessDry(c, would, async () => {
        if (!(await sluice.checkService(service, user)).ok) throw refused();
      });
      return c.json(acted, 200);
    },
  );
  addTest(routes, sluice);
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/workers",
      tags: ["services"],
      summary: "Who works here, and who did within a day",
      request: { query: pageQuery.strict() },
      responses: answers("Those that live first, the newest first", page(workerState)),
    }),
    async (c) => {
      const tellsProcess = isAllowed(principalOf(c.get("principal")), "admin");
      const { after, limit } = c.req.valid("query");
      const found = await sluice.workers({ ...(after === undefined ? {} : { after }), limit: limit + 1 });
      const tells = { process: tellsProcess, items: ownerFor(c) === undefined };
      const view = pageOf(found, limit, (one) => toWorker(one, tells), workerPlace);
      return c.json(view, 200);
    },
  );
}

/** How many stand in line for each service: of all, or of one owner's. */
export async function inLine(sluice: Pick<Sluice, "behindServices" | "ownStages">, owner: string | undefined) {
  if (owner === undefined) return { behind: await sluice.behindServices(), own: undefined };
  const own = await sluice.ownStages(owner);
  return { behind: ownBehind(own), own };
}

function addTest(routes: Routes, sluice: Ports): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/services/{service}/test",
      tags: ["services"],
      summary: "Calls a service now by its probe, and answers with what came back; its breaker is left as it is",
      description: "Refused where this server was started without a client of it, or its code has no probe.",
      request: { params: z.object({ service: text }) },
      responses: answers("What came of it, also where it did not work", serviceTested),
    }),
    async (c) => {
      const { service } = c.req.valid("param");
      named("service", service, await sluice.services());
      const test = await sluice.testService(service, { dryRun: c.get("isDry") });
      if (test === undefined) {
        const would = `Would call ${service} by its probe.`;
        return c.json({ ok: true, would, code: null, message: null, tookMs: 0 }, 200);
      }
      const { ok, code, message, tookMs } = test;
      c.set("deed", { action: "services.test", subject: service, detail: { ok, code } });
      return c.json({ ok, would: null, code, message, tookMs: Math.round(tookMs) }, 200);
    },
  );
}
