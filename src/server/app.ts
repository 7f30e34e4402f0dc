// The HTTP application: the guard in front, the routes behind it, one contract for all of them.

import { setTimeout as sleep } from "node:timers/promises";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { type Logger, type Sluice, SluiceError } from "../engine/index.ts";
import type { Access } from "./access/access.ts";
import type { Env } from "./http/env.ts";
import { guard, onError } from "./http/guard.ts";
import { type RoutePolicy, Routes } from "./http/routes.ts";
import { honourKeys } from "./idempotency/idempotency.ts";
import { addBulkRoutes } from "./routes/bulk.ts";
import { addContractRoute } from "./routes/contract.ts";
import { addHealthRoutes } from "./routes/health.ts";
import { addItemRoute } from "./routes/item.ts";
import { addItemActions } from "./routes/item-actions.ts";
import { addItemRoutes } from "./routes/items.ts";
import { addRequestRoutes } from "./routes/requests.ts";
import { addSessionRoutes } from "./routes/session.ts";
import { addSubmitRoute } from "./routes/submit.ts";

export interface AppPorts {
  readonly sluice: Sluice;
  readonly access: Access;
  readonly log: Logger;
  readonly hosts: ReadonlySet<string>;
  readonly cookie: string;
  readonly version: string;
}

/** Uploads have routes and limits of their own. */
const BODY_BYTES = 1_048_576;

export interface App {
  readonly app: OpenAPIHono<Env>;
  readonly policies: readonly RoutePolicy[];
}

export function makeApp({ sluice, access, log, hosts, cookie, version }: AppPorts): App {
  const routes = new Routes(honourKeys({ tables: sluice.tables, sleep }));
  const { app, policies } = routes;
  app.onError(onError(log));
  app.notFound((c) => {
    throw new SluiceError("NOT_FOUND", `there is no ${c.req.method} ${new URL(c.req.url).pathname}`);
  });
  app.use(guard({ access, log, hosts, cookie }));
  app.use(
    bodyLimit({
      maxSize: BODY_BYTES,
      onError: () => {
        throw new SluiceError("TOO_LARGE", `a body may have ${BODY_BYTES} bytes here`, { field: "body" });
      },
    }),
  );
  addHealthRoutes(routes, sluice, log);
  addSessionRoutes(routes, access, cookie);
  addItemRoutes(routes, sluice);
  addItemRoute(routes, sluice);
  addItemActions(routes, sluice);
  addRequestRoutes(routes, sluice);
  addSubmitRoute(routes, sluice);
  addBulkRoutes(routes, sluice);
  addContractRoute(routes, version);
  return { app, policies };
}
