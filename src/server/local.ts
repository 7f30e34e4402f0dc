// The application without a socket, for whoever has the database anyway: an operator at the machine. What they do is noted under
// a name that no account can have.

import { randomUUID } from "node:crypto";
import type { DocumentsApp } from "../apps/documents/index.ts";
import type { MediaApp } from "../apps/media/index.ts";
import type { Logger, Sluice } from "../engine/index.ts";
import { systemClock } from "../kit/index.ts";
import { Access } from "./access/access.ts";
import type { Principal } from "./access/principal.ts";
import { Alerts } from "./alerts/alerts.ts";
import { makeApp } from "./app.ts";
import { Metrics } from "./metrics/metrics.ts";
import type { Keyring } from "./secrets/seal.ts";
import { prepareServerTables } from "./server-tables.ts";

export interface LocalOptions {
  readonly sluice: Sluice;
  /** Of the operating system. */
  readonly user: string;
  /** What stored secrets are sealed with. */
  readonly keyring: Keyring;
  readonly media?: MediaApp | undefined;
  readonly documents?: DocumentsApp | undefined;
  readonly log: Logger;
  readonly version: string;
}

export interface LocalApp {
  readonly access: Access;
  /** Whose name is under what is done here. */
  readonly operator: Principal;
  send(request: Request): Promise<Response>;
  close(): void;
}

/** Any token will do. */
class LocalAccess extends Access {
  readonly #operator: Principal;

  constructor(ports: ConstructorParameters<typeof Access>[0], operator: Principal) {
    super(ports);
    this.#operator = operator;
  }

  override async principalOf(): Promise<Principal> {
    return this.#operator;
  }
}

export async function localApp(options: LocalOptions): Promise<LocalApp> {
  const { sluice, user, keyring, media, documents, log, version } = options;
  await prepareServerTables(sluice.tables);
  const operator: Principal = { user: `cli:${user}`, role: "admin", via: "session", scopes: null };
  const access = new LocalAccess({ tables: sluice.tables, now: () => performance.now() }, operator);
  // Neither is started: they answer what is asked, and leave the rounds to the servers.
  const watching = { sluice, log, clock: systemClock };
  const alerts = new Alerts({ ...watching, wallMs: Date.now, holder: randomUUID(), keyring });
  const metrics = new Metrics({ ...watching, now: Date.now, version });
  const ports = { sluice, access, alerts, metrics, media, documents, log, version };
  // Whoever has the database needs no brake.
  const writes = { take: () => {} };
  const { app, live } = makeApp({ ...ports, writes, hosts: new Set(), cookie: "sluice_local" });
  return {
    access,
    operator,
    async send(request) {
      request.headers.set("host", "localhost");
      request.headers.set("authorization", "Bearer local");
      return await app.fetch(request);
    },
    close: () => live.close(),
  };
}
