// Does what operations over many items have left to do, a batch of each in turn. Every process looks; for one operation the
// database lets only one of them do a batch at a time.

import { type Clock, type Logger, type Loop, loop, type Random, type Service, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { runBatch } from "../operate/batch.ts";
import { openOperations } from "../operate/operation-read.sql.ts";
import type { Registry } from "./registry.ts";

export interface OperationsPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: Random;
  readonly registry: Registry;
  /** Items became ready. */
  moved(): void;
}

const LOOK_EVERY_MS = 1_000;

export class Operations implements Service {
  readonly #ports: OperationsPorts;
  readonly #loop: Loop;

  constructor(ports: OperationsPorts) {
    this.#ports = ports;
    const failed = (error: unknown) => ports.log.warn("operation.failed", { error: safeText(error, 300) });
    this.#loop = loop(ports.clock, LOOK_EVERY_MS, (stopping) => this.#step(stopping), failed);
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #step(stopping: AbortSignal): Promise<void> {
    const { db, moved } = this.#ports;
    for (const operation of await openOperations(db)) {
      if (stopping.aborted) return;
      if (!(await runBatch(this.#ports, operation))) continue;
      moved();
      this.#loop.wake();
    }
  }
}
