// What a visit came to is decided, and given to the settler. Where that needs a lane which is not there yet, it is made first.

import type { VisitResult } from "../items/standing.ts";
import { NO_SERVICES } from "../items/unavailable.ts";
import { toFault } from "../pipeline/fault.ts";
import { entryFor } from "./entry.ts";
import type { Held } from "./held.ts";
import { makeLane, missingLane, servicesFor } from "./parking.ts";
import type { Entry } from "./settler.ts";
import type { WorkerPorts } from "./worker-ports.ts";

interface Around {
  isOurs(held: Held): boolean;
  mayHandOff(): boolean;
  settle(entry: Entry): void;
}

export class Decisions {
  readonly #ports: WorkerPorts;
  readonly #around: Around;

  constructor(ports: WorkerPorts, around: Around) {
    this.#ports = ports;
    this.#around = around;
  }

  make(held: Held, result: VisitResult): void {
    // An outcome says nothing of services.
    const view = "outcome" in result ? NO_SERVICES : servicesFor(held, this.#ports.services);
    const service = missingLane(held, result, view, this.#ports.registry);
    if (service !== undefined) {
      void this.#makeWithLane(held, result, service);
      return;
    }
    const now = { view, mayHandOff: this.#around.mayHandOff() };
    try {
      this.#around.settle(entryFor(held, result, this.#ports, now));
    } catch (error) {
      // What it came to cannot be stored; that can.
      this.#around.settle(entryFor(held, { fault: toFault(error) }, this.#ports, now));
    }
  }

  async #makeWithLane(held: Held, result: VisitResult, service: string): Promise<void> {
    const isOurs = () => this.#around.isOurs(held);
    await makeLane(held, service, this.#ports, isOurs);
    if (isOurs()) this.make(held, result);
  }
}
