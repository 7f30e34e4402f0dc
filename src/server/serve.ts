// From an open Sluice to a listening server.

import { InputError, type Logger, type Sluice } from "../engine/index.ts";
import { Access } from "./access/access.ts";
import { makeApp } from "./app.ts";
import { type Door, openDoor } from "./door.ts";
import { hostName } from "./http/hosts.ts";
import { prepareServerTables } from "./server-tables.ts";

export interface ServeOptions {
  readonly sluice: Sluice;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** One that is open already, since before there was a database. */
  readonly door?: Door;
  /** What people type to reach it, where that is not where it listens. */
  readonly publicUrl?: string | undefined;
  /** Names it is known by besides addresses and those of a local network. */
  readonly hosts: readonly string[];
  readonly log: Logger;
  readonly version: string;
}

export interface Served {
  readonly url: string;
  /** Where the first account is made; undefined when there is one. */
  readonly setupUrl: string | undefined;
  close(): Promise<void>;
}

export async function serveSluice(options: ServeOptions): Promise<Served> {
  const { sluice, host, port, hosts, log, version, publicUrl } = options;
  await prepareServerTables(sluice.tables);
  const access = new Access({ tables: sluice.tables, now: () => performance.now() });
  const door = options.door ?? (await openDoor({ host, port }));
  const known = publicUrl === undefined ? hosts : [...hosts, new URL(publicUrl).host];
  const { app } = makeApp({
    sluice,
    access,
    log,
    version,
    cookie: `sluice_${door.port}`,
    hosts: ownNames([host, ...known]),
  });
  const url = publicUrl ?? door.url;
  const setup = await access.offerSetup();
  door.answerWith((request, env) => app.fetch(request, env as never));
  return {
    url,
    setupUrl: setup === undefined ? undefined : `${url}/setup#${setup}`,
    close: () => door.close(),
  };
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
