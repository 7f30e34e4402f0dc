// One service of this world in a process of its own, on a port that is free.

import { join } from "node:path";
import { onFreePort } from "../processes/free-port.ts";
import { ManagedProcess } from "../processes/managed.ts";
import type { Thing } from "../things.ts";
import type { MediaPlace, MediaService } from "./services/definition.ts";

export interface StartedService {
  readonly thing: Thing;
  readonly port: number;
}

/** Resolves when it answers. */
export function startService(service: MediaService, place: Omit<MediaPlace, "port">): Promise<StartedService> {
  return onFreePort(async (port) => {
    const { name, about, ends, faults, service: known } = service;
    const module = join(import.meta.dirname, "services/main.ts");
    const env = { SANDBOX_PLACE: JSON.stringify({ ...place, port } satisfies MediaPlace) };
    const thing: Thing = {
      process: new ManagedProcess({ name, module, args: [name], env }),
      ...{ about, ends, faults, service: known },
    };
    await thing.process.start();
    return { thing, port };
  });
}
