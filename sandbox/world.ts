// The demo world on the loopback: a database, small real services, a worker that can be killed, and a server that shows them.

import { join } from "node:path";
import { type Logger, openSluice, type Sluice } from "../src/engine/index.ts";
import type { GivenAdmin } from "../src/server/access/ensure-admin.ts";
import { openDoor } from "../src/server/door.ts";
import { serveSluice } from "../src/server/serve.ts";
import { Ending, ended } from "./ending.ts";
import { films } from "./pipeline.ts";
import { onFreePort } from "./processes/free-port.ts";
import { ManagedProcess } from "./processes/managed.ts";
import { FAULTS } from "./service/faults.ts";
import type { ServiceDefinition } from "./services/definition.ts";
import { SERVICES } from "./services/index.ts";
import { type Thing, Things } from "./things.ts";
import { workerThing } from "./worker-thing.ts";

export interface WorldOptions {
  /** Everything it stores lies in here. */
  readonly folder: string;
  /** Of the server; 0 for any that is free. */
  readonly port: number;
  readonly admin: GivenAdmin;
  readonly version: string;
  readonly log: Logger;
  /** The folder with the built dashboard. */
  readonly dashboard?: string | undefined;
}

export interface World {
  readonly url: string;
  readonly sluice: Sluice;
  readonly things: Things;
  /** Ends all of it; safe to call twice. */
  close(): Promise<void>;
}

export async function startWorld(options: WorldOptions): Promise<World> {
  const { folder, port, log } = options;
  const ending = new Ending();
  const { close } = ending;
  try {
    const door = await openDoor({ host: "127.0.0.1", port, closeMs: 1_000 });
    ending.add(() => door.close());
    const starting = SERVICES.map((one) => startService(one, join(folder, one.name)));
    ending.add(() => Promise.all(starting.map((one) => ended(one, ({ thing }) => thing.process.stop()))));
    const database = join(folder, "database");
    const opening = openSluice({ pipelines: [films], database, worker: false, log, connections: 10 });
    ending.add(() => ended(opening, (sluice) => sluice.close()));
    const [sluice, started] = await Promise.all([opening, Promise.all(starting)]);
    const ports = Object.fromEntries(started.map(({ service, port }) => [service, port]));
    const env = { SANDBOX_DATABASE: database, SANDBOX_PORTS: JSON.stringify(ports) };
    const worker = workerThing(join(import.meta.dirname, "worker.ts"), env);
    ending.add(() => worker.process.stop());
    const things = new Things([...started.map(({ thing }) => thing), worker], log);
    const { admin, version, dashboard } = options;
    const [served] = await Promise.all([
      serveSluice({
        ...{ sluice, door, host: "127.0.0.1", port: door.port, hosts: [], sandbox: things },
        ...{ admin, version, dashboard, log },
      }),
      worker.process.start(),
    ]);
    ending.add(() => served.close());
    return { url: served.url, sluice, things, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const startService = (definition: ServiceDefinition, folder: string) =>
  onFreePort(async (port) => {
    const thing = serviceThing(definition, port, folder);
    await thing.process.start();
    return { thing, port, service: definition.service };
  });

function serviceThing({ name, service, about, faults }: ServiceDefinition, port: number, folder: string): Thing {
  const module = join(import.meta.dirname, "services/main.ts");
  return {
    process: new ManagedProcess({ name, module, args: [name, String(port), folder] }),
    ...{ about, service, faults },
    ends: { name: "stop", by: "stop", ...FAULTS.stop },
  };
}
