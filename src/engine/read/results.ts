// `await request.result()`: one statement asks for all requests somebody in this process waits for.

import { type Clock, formatId, type ItemId, type Logger, type Loop, loop, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type EndState, endStateName } from "../items/codes.ts";
import { endedItems, requestsOver } from "./result.sql.ts";

export interface RequestResult {
  /** Whether every item is done. */
  readonly ok: boolean;
  readonly items: readonly ItemResult[];
}

export interface ItemResult {
  readonly id: ItemId;
  readonly state: EndState;
  /** What the last stage handed on. */
  readonly output: unknown;
  /** Why it failed, where it did. */
  readonly code: string | null;
  readonly message: string | null;
}

const LOOK_EVERY_MS = 1_000;

export class Results {
  readonly #db: Database;
  readonly #loop: Loop;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(db: Database, clock: Clock, log: Logger) {
    this.#db = db;
    this.#loop = loop(
      clock,
      LOOK_EVERY_MS,
      () => this.#look(),
      (error) => {
        log.warn("results.unknown", { error: safeText(error, 300) });
      },
    );
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  wake(): void {
    if (this.#waiting.size > 0) this.#loop.wake();
  }

  async of(request: string, signal?: AbortSignal): Promise<RequestResult> {
    await this.#over(request, signal);
    const rows = await endedItems(this.#db, request);
    const items = rows.map((row) => ({
      id: formatId("item", row.id),
      state: endStateName(row.state) ?? "failed",
      output: row.output ?? undefined,
      code: row.code,
      message: row.message,
    }));
    return { ok: items.every((item) => item.state === "done"), items };
  }

  #over(request: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(request) ?? new Set();
      this.#waiting.set(request, waiting.add(resolve));
      signal?.addEventListener("abort", () => {
        waiting.delete(resolve);
        if (waiting.size === 0) this.#waiting.delete(request);
        reject(signal.reason);
      });
      this.#loop.wake();
    });
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0) return;
    for (const request of await requestsOver(this.#db, [...this.#waiting.keys()])) {
      const waiting = this.#waiting.get(request);
      this.#waiting.delete(request);
      for (const resolve of waiting ?? []) resolve();
    }
  }
}
