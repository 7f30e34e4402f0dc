// The application without a socket, for whoever has the database anyway: an operator at the machine. What they do is noted under
// a name that no account can have.

import type { Logger, Sluice } from "../engine/index.ts";
import { Access } from "./access/access.ts";
import type { Principal } from "./access/principal.ts";
import { makeApp } from "./app.ts";
import { prepareServerTables } from "./server-tables.ts";

export interface LocalOptions {
  readonly sluice: Sluice;
  /** Of the operating system. */
  readonly user: string;
  readonly log: Logger;
  readonly version: string;
}

export interface LocalApp {
  readonly access: Access;
  send(request: Request): Promise<Response>;
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

export async function localApp({ sluice, user, log, version }: LocalOptions): Promise<LocalApp> {
  await prepareServerTables(sluice.tables);
  const operator: Principal = { user: `cli:${user}`, role: "admin", via: "session", scopes: null };
  const access = new LocalAccess({ tables: sluice.tables, now: () => performance.now() }, operator);
  const { app } = makeApp({ sluice, access, log, version, hosts: new Set(), cookie: "sluice_local" });
  return {
    access,
    async send(request) {
      request.headers.set("host", "localhost");
      request.headers.set("authorization", "Bearer local");
      return await app.fetch(request);
    },
  };
}
