// From an open Sluice to a listening server.

import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { InputError, type Logger, type Sluice, SluiceError } from "../engine/index.ts";
import { systemClock } from "../kit/index.ts";
import { Access } from "./access/access.ts";
import { ensureAdmin, type GivenAdmin } from "./access/ensure-admin.ts";
import { tidying } from "./access/tidying.ts";
import { type AlertPorts, Alerts } from "./alerts/alerts.ts";
import { makeApp } from "./app.ts";
import type { LiveOptions } from "./feed/live.ts";
import { isWebSocketRequest, takeUpgrades } from "./feed/upgrade.ts";
import { trustedProxies } from "./http/client-address.ts";
import { hostName } from "./http/hosts.ts";
import { type ObserveOptions, observe } from "./observe.ts";
import { prepareServerTables } from "./server-tables.ts";

export interface ServeOptions {
  readonly sluice: Sluice;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Names it is known by besides addresses and those of a local network. */
  readonly hosts: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed: addresses, or networks such as `10.0.0.0/8`. */
  readonly trustedProxies?: readonly string[];
  /** Made an admin where there is no account of that name; then no set-up link is offered. */
  readonly admin?: GivenAdmin | undefined;
  readonly log: Logger;
  readonly version: string;
  /** Traces are sent where this is given. */
  readonly traces?: ObserveOptions["traces"];
  /** The key that seals secrets, where links lead, and whose disks to watch. */
  readonly alerts?: Partial<Pick<AlertPorts, "keyring" | "publicUrl" | "disks">>;
  /** How the live feed keeps its time and bounds, where not as usual. */
  readonly live?: LiveOptions;
}

export interface Served {
  readonly url: string;
  /** Where the first account is made; undefined when there is one. */
  readonly setupUrl: string | undefined;
  close(): Promise<void>;
}

/** Answers have so long to end when it is told to close. */
const CLOSE_MS = 5_000;

export async function serveSluice(options: ServeOptions): Promise<Served> {
  const { sluice, host, port, hosts, log, version, traces } = options;
  const proxies = trustedProxies(options.trustedProxies ?? []);
  await prepareServerTables(sluice.tables);
  const access = new Access({ tables: sluice.tables, now: () => performance.now() });
  if (options.admin !== undefined) await ensureAdmin(access, options.admin);
  const alerts = alertsOf(options);
  let answer: (request: Request, env: unknown) => Response | Promise<Response>;
  const server = createAdaptorServer({
    fetch: (request, env) => answer(request, env),
    // Other protocols that a client would like better are not spoken, and no reason to refuse it.
    serverOptions: { shouldUpgradeCallback: isWebSocketRequest },
  });
  const bound = await listen(server, host, port);
  const cookie = `sluice_${bound.port}`;
  const observed = await observe({ sluice, log, version, clock: systemClock, traces });
  const { app, live } = makeApp({
    sluice,
    access,
    alerts,
    log,
    metrics: observed.metrics,
    version,
    cookie,
    proxies,
    hosts: ownNames([host, ...hosts]),
    live: options.live,
  });
  answer = (request, env) => app.fetch(request, env as never);
  takeUpgrades(server, (request, env) => answer(request, env), log);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`;
  const setup = await access.offerSetup();
  const tidy = tidying({ sluice, clock: systemClock, log, holder: randomUUID() });
  await tidy.start();
  await alerts.start();
  return {
    url,
    setupUrl: setup === undefined ? undefined : `${url}/setup#${setup}`,
    async close() {
      live.close();
      await close(server);
      for (const part of [tidy, alerts, observed]) await part.stop();
    },
  };
}

function alertsOf({ sluice, log, alerts = {} }: ServeOptions): Alerts {
  const { keyring = [], ...rest } = alerts;
  return new Alerts({ sluice, log, clock: systemClock, wallMs: Date.now, holder: randomUUID(), keyring, ...rest });
}

function ownNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.map((name) => {
      const known = hostName(name);
      if (known === undefined)
        throw new InputError("hosts", `hosts are names such as media.example.org, got ${JSON.stringify(name)}`);
      return known;
    }),
  );
}

type Server = ReturnType<typeof createAdaptorServer>;

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program listens there; choose another port" : error.message;
      reject(new SluiceError("CANNOT_LISTEN", `cannot listen on ${host}:${port}: ${why}`, { cause: error }));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo)); // a TCP port, so never a path
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if ("closeIdleConnections" in server) server.closeIdleConnections();
  const late = setTimeout(() => "closeAllConnections" in server && server.closeAllConnections(), CLOSE_MS);
  await closed;
  clearTimeout(late);
}
