// The HTTP application: the guard in front, the routes behind it, one contract for all of them.

import type { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import type { DocumentsApp } from "../apps/documents/index.ts";
import type { MediaApp } from "../apps/media/index.ts";
import { type Logger, type Sluice, SluiceError } from "../engine/index.ts";
import { type Clock, systemClock } from "../kit/index.ts";
import type { Access } from "./access/access.ts";
import type { Alerts } from "./alerts/alerts.ts";
import { Live, type LiveOptions } from "./feed/live.ts";
import { accessLog } from "./http/access-log.ts";
import { changeNotes } from "./http/change-notes.ts";
import { NO_PROXIES, type Proxies } from "./http/client-address.ts";
import type { Env } from "./http/env.ts";
import { guard, onError } from "./http/guard.ts";
import { isStreamed, type RoutePolicy, Routes } from "./http/routes.ts";
import { WriteBrake } from "./http/write-brake.ts";
import { honourKeys } from "./idempotency/idempotency.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Dashboard } from "./pages/dashboard.ts";
import { addAccountRoutes } from "./routes/accounts.ts";
import { addAlertRoutes } from "./routes/alerts.ts";
import { addBulkRoutes } from "./routes/bulk.ts";
import { addChannelRoutes } from "./routes/channels.ts";
import { addContractRoute } from "./routes/contract.ts";
import { addDocumentRoutes } from "./routes/documents/index.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addFinderRoutes } from "./routes/finders.ts";
import { addHealthRoutes } from "./routes/health.ts";
import { addItemRoute } from "./routes/item.ts";
import { addItemActions } from "./routes/item-actions.ts";
import { addItemRoutes } from "./routes/items.ts";
import { FILM_PIECE_BYTES, isFilmPiece } from "./routes/media/encoder-files.ts";
import { addMediaRoutes } from "./routes/media/index.ts";
import { addMetricsRoute } from "./routes/metrics.ts";
import { addOverviewRoutes } from "./routes/overview.ts";
import { addOwnAccessRoutes } from "./routes/own-access.ts";
import { addPageRoutes, isPageVisit, send } from "./routes/pages.ts";
import { addPipelineRoutes } from "./routes/pipelines.ts";
import { addQuestionRoutes } from "./routes/questions.ts";
import { addRequestRoutes } from "./routes/requests.ts";
import { addRetentionRoutes } from "./routes/retention.ts";
import { addSandboxRoutes } from "./routes/sandbox.ts";
import { addScheduleRoutes } from "./routes/schedules.ts";
import { addServiceRoutes } from "./routes/services.ts";
import { addSessionRoutes } from "./routes/session.ts";
import { addSubmitRoute } from "./routes/submit.ts";
import { addTrendRoutes } from "./routes/trends.ts";
import { addVersionRoutes } from "./routes/versions.ts";
import { addWorkflowRoutes } from "./routes/workflow.ts";
import type { SandboxPort } from "./sandbox-port.ts";

export interface AppPorts {
  readonly sluice: Sluice;
  readonly access: Access;
  readonly alerts: Alerts;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "text" | "contentType">;
  readonly hosts: ReadonlySet<string>;
  readonly cookie: string;
  readonly version: string;
  /** Those whose `X-Forwarded-For` is believed. */
  readonly proxies?: Proxies;
  readonly writes?: Pick<WriteBrake, "take">;
  /** Its files; without them the server has no pages. */
  readonly dashboard?: Dashboard | undefined;
  /** The demo world it stands in, where it does. */
  readonly sandbox?: SandboxPort | undefined;
  /** Films and series, where it was started with them. */
  readonly media?: MediaApp | undefined;
  /** Documents that are converted, where it was started with them. */
  readonly documents?: DocumentsApp | undefined;
  readonly clock?: Pick<Clock, "sleep">;
  /** How the live feed keeps its time and bounds, where not as usual. */
  readonly live?: LiveOptions | undefined;
}

const BODY_BYTES = 1_048_576;

export interface App {
  readonly app: OpenAPIHono<Env>;
  readonly policies: readonly RoutePolicy[];
  /** Those who are connected for long; to be closed with the server. */
  readonly live: Live;
}

function limitOf(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new SluiceError("TOO_LARGE", `a body may have ${maxSize} bytes here`, { field: "body" });
    },
  });
}

export function makeApp(ports: AppPorts): App {
  const { sluice, access, alerts, log, metrics, hosts, cookie, version, dashboard, sandbox, media, documents } = ports;
  const { proxies = NO_PROXIES, clock = systemClock, writes = new WriteBrake(() => performance.now()) } = ports;
  const routes = new Routes({
    honourKeys: honourKeys({ tables: sluice.tables, clock, log }),
    onChanged: changeNotes(access, log),
  });
  const { app, policies } = routes;
  app.onError(onError(log));
  app.notFound((c) => {
    if (dashboard !== undefined && isPageVisit(c)) return send(c, dashboard.page);
    throw new SluiceError("NOT_FOUND", `there is no ${c.req.method} ${new URL(c.req.url).pathname}`);
  });
  app.use(accessLog(log));
  app.use(guard({ access, log, hosts, cookie, proxies, writes }));
  const [usual, film] = [limitOf(BODY_BYTES), limitOf(FILM_PIECE_BYTES)];
  app.use((c, next) => {
    const { method, path } = c.req;
    if (isStreamed(policies, method, path)) return next();
    return isFilmPiece(method, path) ? film(c, next) : usual(c, next);
  });
  addHealthRoutes(routes, sluice, log);
  addMetricsRoute(routes, metrics);
  addSessionRoutes(routes, access, cookie);
  addItemRoutes(routes, sluice);
  addItemRoute(routes, sluice);
  addOverviewRoutes(routes, sluice, {
    version,
    hasSandbox: sandbox !== undefined,
    apps: [...(media === undefined ? [] : ["media"]), ...(documents === undefined ? [] : ["documents"])],
  });
  addTrendRoutes(routes, sluice);
  addPipelineRoutes(routes, sluice);
  addVersionRoutes(routes, sluice);
  addRetentionRoutes(routes, sluice);
  addServiceRoutes(routes, sluice);
  addQuestionRoutes(routes, sluice);
  addScheduleRoutes(routes, sluice);
  addFinderRoutes(routes, sluice);
  addWorkflowRoutes(routes, sluice);
  if (sandbox !== undefined) addSandboxRoutes(routes, sandbox);
  if (media !== undefined) addMediaRoutes(routes, sluice, media);
  if (documents !== undefined) addDocumentRoutes(routes, sluice, documents);
  addOwnAccessRoutes(routes, access);
  addAccountRoutes(routes, access);
  addAlertRoutes(routes, sluice.tables);
  addChannelRoutes(routes, sluice.tables, alerts);
  addItemActions(routes, sluice);
  addRequestRoutes(routes, sluice);
  addSubmitRoute(routes, sluice);
  addBulkRoutes(routes, sluice);
  const live = new Live({ sluice, access, log, options: ports.live });
  addEventRoutes(routes, sluice, live, log);
  addPageRoutes(routes, version, dashboard);
  addContractRoute(routes, version, cookie);
  return { app, policies, live };
}
