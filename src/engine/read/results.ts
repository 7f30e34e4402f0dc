// `await request.result()`: one statement asks for all requests somebody in this process waits for.

import {
  type Clock,
  formatId,
  type ItemId,
  type Logger,
  type Loop,
  loop,
  SluiceError,
  safeText,
} from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type EndState, endStateName } from "../items/codes.ts";
import { endedItems, requestExists, requestsOver } from "./result.sql.ts";

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

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export interface ResultsPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export class Results {
  readonly #db: Database;
  readonly #loop: Loop;
  /** Calls back when something may have happened; answers with how to stop that. */
  readonly #onMoved: (listener: () => void) => () => void;
  #stopMoved: (() => void) | undefined;
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor({ db, clock, log }: ResultsPorts, onMoved: (listener: () => void) => () => void) {
    this.#db = db;
    this.#onMoved = onMoved;
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

  /** Whoever still waits is told, and not left waiting for an answer that nobody will bring. */
  async stop(): Promise<void> {
    this.#stopMoved?.();
    await this.#loop.stop();
    const closed = new SluiceError("CLOSED", "this Sluice was closed before the request was over");
    for (const waiting of this.#waiting.values()) for (const one of waiting) one.reject(closed);
    this.#waiting.clear();
  }

  /** Throws NOT_FOUND for a request that nobody made. */
  async expect(request: string): Promise<void> {
    if (await requestExists(this.#db, request)) return;
    throw new SluiceError("NOT_FOUND", `there is no request ${formatId("request", request)}`, { field: "request" });
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

  async #over(request: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(request) ?? new Set();
      const one = { resolve, reject };
      this.#waiting.set(request, waiting.add(one));
      this.#stopMoved ??= this.#onMoved(() => {
        if (this.#waiting.size > 0) this.#loop.wake();
      });
      signal?.addEventListener("abort", () => {
        waiting.delete(one);
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
      for (const one of waiting ?? []) one.resolve();
    }
  }
}
