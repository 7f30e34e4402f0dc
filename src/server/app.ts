// The HTTP application: the guard in front, the routes behind it, one contract for all of them.

import type { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { type Logger, type Sluice, SluiceError } from "../engine/index.ts";
import type { Access } from "./access/access.ts";
import { Live, type LiveOptions } from "./feed/live.ts";
import type { Env } from "./http/env.ts";
import { guard, onError } from "./http/guard.ts";
import { type RoutePolicy, Routes } from "./http/routes.ts";
import { addContractRoute } from "./routes/contract.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addHealthRoutes } from "./routes/health.ts";
import { addItemRoute, addRequestRoute } from "./routes/item.ts";
import { addItemRoutes } from "./routes/items.ts";
import { addSessionRoutes } from "./routes/session.ts";

export interface AppPorts {
  readonly sluice: Sluice;
  readonly access: Access;
  readonly log: Logger;
  readonly hosts: ReadonlySet<string>;
  readonly cookie: string;
  readonly version: string;
  /** How the live feed keeps its time and bounds, where not as usual. */
  readonly live?: LiveOptions | undefined;
}

/** Uploads have routes and limits of their own. */
const BODY_BYTES = 1_048_576;

export interface App {
  readonly app: OpenAPIHono<Env>;
  readonly policies: readonly RoutePolicy[];
  /** Those who are connected for long; to be closed with the server. */
  readonly live: Live;
}

export function makeApp({ sluice, access, log, hosts, cookie, version, live: options }: AppPorts): App {
  const routes = new Routes();
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
  addRequestRoute(routes, sluice);
  const live = new Live({ sluice, access, log, options });
  addEventRoutes(routes, sluice, live, log);
  addContractRoute(routes, version);
  return { app, policies, live };
}
