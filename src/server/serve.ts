// From an open Sluice to a server that answers, tells, alerts and tidies up.

import { randomUUID } from "node:crypto";
import type { DocumentsApp } from "../apps/documents/index.ts";
import type { MediaApp } from "../apps/media/index.ts";
import { InputError, type Logger, type Sluice } from "../engine/index.ts";
import { systemClock, together } from "../kit/index.ts";
import { Access } from "./access/access.ts";
import { ensureAdmin, type GivenAdmin } from "./access/ensure-admin.ts";
import { tidying } from "./access/tidying.ts";
import { type AlertPorts, Alerts } from "./alerts/alerts.ts";
import { makeApp } from "./app.ts";
import { type Door, openDoor } from "./door.ts";
import type { LiveOptions } from "./feed/live.ts";
import { type Answer, takeUpgrades } from "./feed/upgrade.ts";
import { trustedProxies } from "./http/client-address.ts";
import { hostName } from "./http/hosts.ts";
import { type ObserveOptions, observe } from "./observe.ts";
import { readDashboard } from "./pages/dashboard.ts";
import type { SandboxPort } from "./sandbox-port.ts";
import { resealAll } from "./secrets/secrets.ts";
import { prepareServerTables } from "./server-tables.ts";

export interface ServeOptions {
  readonly sluice: Sluice;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** One that is open already, since before there was a database. */
  readonly door?: Door;
  /** The folder with what was built of it; without one the server has no pages. */
  readonly dashboard?: string | undefined;
  /** What people type to reach it, where that is not where it listens; also for links in messages. */
  readonly publicUrl?: string | undefined;
  /** Names it is known by besides addresses and those of a local network. */
  readonly hosts: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed: addresses, or networks such as `10.0.0.0/8`. */
  readonly trustedProxies?: readonly string[];
  /** Made an admin where there is no account of that name; then no set-up link is offered. */
  readonly admin?: GivenAdmin | undefined;
  /** What stored secrets are sealed with; without it there are none. */
  readonly keyring?: AlertPorts["keyring"];
  /** Disks to watch, besides that of temporary files. */
  readonly disks?: AlertPorts["disks"];
  /** The demo world it stands in: it can be looked at, broken and mended over the API. */
  readonly sandbox?: SandboxPort;
  /** Films and series, where it is started with them; their tables are there. */
  readonly media?: MediaApp | undefined;
  /** Documents that are converted, where it is started with them; likewise. */
  readonly documents?: DocumentsApp | undefined;
  readonly log: Logger;
  readonly version: string;
  /** Traces are sent where this is given. */
  readonly traces?: ObserveOptions["traces"];
  /** How the live feed keeps its time and bounds, where not as usual. */
  readonly live?: LiveOptions;
}

export interface Served {
  readonly url: string;
  /** Where the first account is made; undefined when there is one. */
  readonly setupUrl: string | undefined;
  close(): Promise<void>;
}

export async function serveSluice(options: ServeOptions): Promise<Served> {
  const { sluice, host, port, log, version, traces } = options;
  const proxies = trustedProxies(options.trustedProxies ?? []);
  const hosts = ownNames(options);
  await prepareServerTables(sluice.tables);
  await resealAll(sluice.tables, options.keyring ?? [], log);
  const access = new Access({ tables: sluice.tables, now: () => performance.now() });
  if (options.admin !== undefined) await ensureAdmin(access, options.admin);
  const door = options.door ?? (await openDoor({ host, port }));
  const observed = await observe({ sluice, log, version, clock: systemClock, traces });
  const { metrics } = observed;
  const alerts = alertsOf(options);
  const cookie = `sluice_${door.port}`;
  const { app, live } = makeApp({
    ...{ sluice, access, alerts, log, metrics, version, cookie, proxies, hosts },
    live: options.live,
    sandbox: options.sandbox,
    media: options.media,
    documents: options.documents,
    dashboard: options.dashboard === undefined ? undefined : readDashboard(options.dashboard),
  });
  const chores = together([alerts, tidying({ sluice, clock: systemClock, log, holder: randomUUID() })]);
  await chores.start();
  const url = options.publicUrl ?? door.url;
  const setup = await access.offerSetup();
  const answer: Answer = (request, env) => app.fetch(request, env as never);
  takeUpgrades(door.server, answer, log);
  door.answerWith(answer);
  return {
    url,
    setupUrl: setup === undefined ? undefined : `${url}/setup#${setup}`,
    async close() {
      live.close();
      options.media?.desk.close();
      await door.close();
      await chores.stop();
      await observed.stop();
    },
  };
}

function alertsOf({ sluice, log, keyring = [], publicUrl, disks = [], media }: ServeOptions): Alerts {
  const ports = { sluice, log, clock: systemClock, wallMs: Date.now, holder: randomUUID() };
  const goneEncoders = media === undefined ? undefined : () => media.encoders.gone(sluice.tables);
  return new Alerts({ ...ports, keyring, publicUrl, disks, goneEncoders });
}

function ownNames({ host, hosts, publicUrl }: ServeOptions): ReadonlySet<string> {
  const known = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  return new Set(
    [host, ...hosts, ...known].map((name) => {
      const own = hostName(name);
      if (own === undefined)
        throw new InputError("hosts", `hosts are names such as media.example.org, got ${JSON.stringify(name)}`);
      return own;
    }),
  );
}
