// The demo world on the loopback: a database, small real services, a worker that can be killed, and a server that shows them.

import { join } from "node:path";
import { type Logger, openSluice, type Sluice } from "../src/engine/index.ts";
import type { GivenAdmin } from "../src/server/access/ensure-admin.ts";
import { openDoor } from "../src/server/door.ts";
import { serveSluice } from "../src/server/serve.ts";
import { films } from "./pipeline.ts";
import { onFreePort } from "./processes/free-port.ts";
import { ManagedProcess } from "./processes/managed.ts";
import { FAULTS } from "./service/faults.ts";
import type { ServiceDefinition } from "./services/definition.ts";
import { SERVICES } from "./services/index.ts";
import { type Thing, Things } from "./things.ts";

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

const KILL: Thing["ends"] = {
  name: "kill",
  by: "kill",
  does: "Ends the worker's process at once, as kill -9 does.",
  expect:
    'Workers shows it as "Not heard from" and then as "Gone", every page says that no worker is running, and nothing begins. What runs outside goes on by itself. Mended, it takes back what it had in hand, and goes on from checkpoints.',
};

export async function startWorld(options: WorldOptions): Promise<World> {
  const { folder, port, log } = options;
  const ending: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= inOrder(ending.toReversed());
    return closing;
  };
  try {
    const door = await openDoor({ host: "127.0.0.1", port, closeMs: 1_000 });
    ending.push(() => door.close());
    const starting = SERVICES.map((one) => startService(one, join(folder, one.name)));
    ending.push(() => Promise.all(starting.map((one) => ended(one, ({ thing }) => thing.process.stop()))));
    const database = join(folder, "database");
    const opening = openSluice({ pipelines: [films], database, worker: false, log, connections: 10 });
    ending.push(() => ended(opening, (sluice) => sluice.close()));
    const [sluice, started] = await Promise.all([opening, Promise.all(starting)]);
    const worker = workerThing(database, Object.fromEntries(started.map(({ service, port }) => [service, port])));
    ending.push(() => worker.process.stop());
    const things = new Things([...started.map(({ thing }) => thing), worker], log);
    const { admin, version, dashboard } = options;
    const [served] = await Promise.all([
      serveSluice({
        ...{ sluice, door, host: "127.0.0.1", port: door.port, hosts: [], sandbox: things },
        ...{ admin, version, dashboard, log },
      }),
      worker.process.start(),
    ]);
    ending.push(() => served.close());
    return { url: served.url, sluice, things, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where it came up at all; why it did not is told by whoever waited for that. */
async function ended<T>(starting: Promise<T>, end: (it: T) => Promise<unknown>): Promise<void> {
  const [it] = await Promise.allSettled([starting]);
  if (it.status === "fulfilled") await end(it.value);
}

/** All of them, also where one fails; that is told at the end. */
async function inOrder(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failed: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw new AggregateError(failed, "not everything could be ended");
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

function workerThing(database: string, ports: Record<string, number>): Thing {
  const module = join(import.meta.dirname, "worker.ts");
  const env = { SANDBOX_DATABASE: database, SANDBOX_PORTS: JSON.stringify(ports) };
  return {
    process: new ManagedProcess({ name: "worker", module, env, readyMs: 60_000, endMs: 10_000 }),
    ...{ about: "Works on the pipeline's items; a process of its own.", service: null, faults: {} },
    ends: KILL,
  };
}
