// Whom one could connect to: when next, and never again those who sent what was wrong.

import { egressRefusal } from "../../kit/index.ts";
import type { PeerAddress } from "./trackers.ts";

interface Known {
  readonly host: string;
  readonly port: number;
  failures: number;
  dueMs: number;
}

const MOST = 500;
const LONGEST_PAUSE_MS = 600_000;

export class Addresses {
  readonly #known = new Map<string, Known>();
  readonly #banned = new Set<string>();

  offer(addresses: readonly PeerAddress[]): void {
    for (const { host, port } of addresses) {
      const key = keyOf({ host, port });
      if (this.#known.size >= MOST || this.#known.has(key) || port < 1 || port > 65_535) continue;
      this.#known.set(key, { host, port, failures: 0, dueMs: 0 });
    }
  }

  /** Taken: not due again before `failed` or `left` says when. */
  take(nowMs: number): PeerAddress | undefined {
    for (const [key, known] of this.#known) {
      if (known.dueMs > nowMs || this.#banned.has(key) || this.#banned.has(known.host)) continue;
      known.dueMs = Number.POSITIVE_INFINITY;
      return known;
    }
    return undefined;
  }

  /** A connection that never came, or one that has ended. */
  ended(key: string, nowMs: number, isFailure: boolean): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    known.failures = isFailure ? known.failures + 1 : 0;
    known.dueMs = nowMs + Math.min(LONGEST_PAUSE_MS, isFailure ? 2_000 * 2 ** known.failures : 3_000);
  }

  soon(): void {
    for (const known of this.#known.values()) if (known.dueMs !== Number.POSITIVE_INFINITY) known.dueMs = 0;
  }

  /** By its host; in a network of one's own, where several share one, by what tells them apart. */
  ban(host: string, marks: readonly string[]): void {
    if (egressRefusal("public", host) === undefined) this.#banned.add(host);
    for (const mark of marks) this.#banned.add(mark);
  }

  isBanned(host: string, mark: string): boolean {
    return this.#banned.has(host) || this.#banned.has(mark);
  }
}

export function keyOf({ host, port }: PeerAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
