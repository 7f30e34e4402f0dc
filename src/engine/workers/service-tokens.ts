// Places in a service's rate for calls. All that wait in this process are asked for together, with one statement at a time.

import type { Clock } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type Taken, takeRate } from "../services/grants.sql.ts";
import { refusedByRate } from "../services/verdict.ts";

export interface TokenPorts {
  readonly db: Database;
  readonly clock: Clock;
}

interface Waiting {
  readonly resolve: (waitMs: number) => void;
  readonly reject: (error: unknown) => void;
}

/** As long as that a visit waits in place: to give it up and come again costs more. */
const WAIT_HERE_MS = 1_000;
const ASK_MOST = 1_000;

export class ServiceTokens {
  readonly #ports: TokenPorts;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(ports: TokenPorts) {
    this.#ports = ports;
  }

  /** Returns when the call may be made; throws `RATE_LIMITED` when that is too far away. */
  async take(service: string, signal?: AbortSignal): Promise<void> {
    let left = WAIT_HERE_MS;
    for (;;) {
      const waitMs = await this.#ask(service);
      if (waitMs <= 0) return;
      if (waitMs > left || signal?.aborted) throw refusedByRate(service, waitMs);
      left -= waitMs;
      await this.#ports.clock.sleep(waitMs, signal);
    }
  }

  /** 0 when one was granted, else how long it looks like taking. */
  #ask(service: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(service);
      if (waiting !== undefined) waiting.push({ resolve, reject });
      else {
        this.#waiting.set(service, [{ resolve, reject }]);
        void this.#askAll(service);
      }
    });
  }

  async #askAll(service: string): Promise<void> {
    // Those who ask in the same turn travel together.
    await Promise.resolve();
    for (;;) {
      const all = this.#waiting.get(service) ?? [];
      const asking = all.splice(0, ASK_MOST);
      if (asking.length === 0) break;
      try {
        const taken = await takeRate(this.#ports.db, service, asking.length);
        asking.forEach((one, index) => {
          one.resolve(waitOf(taken, index));
        });
      } catch (error) {
        for (const one of asking) one.reject(error);
      }
    }
    this.#waiting.delete(service);
  }
}

function waitOf(taken: Taken, index: number): number {
  return index < taken.count ? 0 : Math.max(1, taken.waitMs(index - taken.count + 1));
}
