// Items that are let through an open breaker. Claimed in the worker's own turn: beside it, they would look like strays.

import type { ClaimedRow } from "../items/claim.sql.ts";

export interface ItemProbePorts {
  claimProbe(service: string): Promise<ClaimedRow[]>;
  /** Answers with how many visits began: an item may be cancelled in the moment it is claimed. */
  begin(rows: readonly ClaimedRow[], probe: string): Promise<number>;
}

export class ItemProbes {
  readonly #ports: ItemProbePorts;
  readonly #asked = new Map<string, (isLet: boolean) => void>();
  #isOver = false;

  constructor(ports: ItemProbePorts) {
    this.#ports = ports;
  }

  /** False when there is none to let through. */
  ask(service: string, wake: () => void): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#asked.set(service, resolve);
      wake();
    });
  }

  /** Beyond the process's own limit by one: what comes of it decides whether thousands may go on. */
  async serve(): Promise<void> {
    for (const [service, resolve] of [...this.#asked]) {
      this.#asked.delete(service);
      let begun = 0;
      try {
        const rows = await this.#ports.claimProbe(service).catch(() => []);
        begun = await this.#ports.begin(rows, service);
      } finally {
        // Whatever happens: without an answer the probe would stay this process's until its lease ends, an hour later.
        resolve(begun > 0);
      }
    }
  }

  stop(): void {
    this.#isOver = true;
    for (const resolve of this.#asked.values()) resolve(false);
  }
}
