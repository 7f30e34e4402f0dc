// The worker of a world, as a thing that can be broken.

import { ManagedProcess } from "./processes/managed.ts";
import type { Thing } from "./things.ts";

export function workerThing(module: string, env: Readonly<Record<string, string>>): Thing {
  return {
    process: new ManagedProcess({ name: "worker", module, env, readyMs: 60_000, endMs: 10_000 }),
    ...{ about: "Works on the pipelines' items; a process of its own.", service: null, faults: {} },
    ends: {
      name: "kill",
      by: "kill",
      does: "Ends the worker's process at once, as kill -9 does.",
      expect:
        'Workers shows it as "Not heard from" and then as "Gone", every page says that no worker is running, and nothing begins. What runs outside goes on by itself. Mended, it takes back what it had in hand, and goes on from checkpoints.',
    },
  };
}
