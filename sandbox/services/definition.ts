// What a service of the sandbox is: its words, its faults, and the function that is the service, in a process of its own. A new one
// is a file like its neighbours here, and a line in index.ts.

import type { FaultText, Script } from "../service/faults.ts";

/** Where a service lives, and how it is to behave at this moment. */
export interface Place {
  /** Of the loopback. */
  readonly port: number;
  /** Its own, and kept over a stop. */
  readonly folder: string;
  readonly script: () => Script;
}

export interface ServiceDefinition {
  /** Of the thing in the sandbox. */
  readonly name: string;
  /** As pipelines know it. */
  readonly service: string;
  readonly about: string;
  /** By name, besides being stopped, which everything can be. */
  readonly faults: Readonly<Record<string, FaultText>>;
  /** Runs in the child. Resolves when the service answers; it goes on until its process ends. */
  run(place: Place): Promise<void>;
}
