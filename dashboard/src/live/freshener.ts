// Asks again for what events made stale: soon, but no more often than every two seconds, however much happens. What is on its way
// already is let come, and asked for once more in the next round: it may have left before the event.

import type { QueryClient } from "@tanstack/react-query";
import type { Event } from "../../../src/server/contract/wire.ts";
import { type Key, staleBy } from "./stale.ts";

const FLUSH_MS = 2_000;
const EVERYTHING: Key = [];

export class Freshener {
  readonly #client: QueryClient;
  readonly #isSeen: () => boolean;
  readonly #stale = new Map<string, readonly unknown[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient, isSeen: () => boolean) {
    this.#client = client;
    this.#isSeen = isSeen;
  }

  take(event: Event): void {
    const keys = staleBy(event);
    for (const key of keys ?? [EVERYTHING]) this.#mark(key);
    if (keys === null) this.#flush();
    else this.#plan();
  }

  all(): void {
    this.#mark(EVERYTHING);
    this.#flush();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #mark(key: readonly unknown[]): void {
    this.#stale.set(JSON.stringify(key), key);
  }

  #plan(): void {
    if (this.#stale.size > 0) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  /** A hidden tab asks for nothing; it looks at everything when it is seen again. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const keys = [...this.#stale.values()];
    this.#stale.clear();
    if (!this.#isSeen()) return;
    const underway = keys.flatMap((queryKey) =>
      this.#client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" }),
    );
    for (const queryKey of keys) void this.#client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    for (const { queryKey } of underway) this.#mark(queryKey);
    this.#plan();
  }
}
