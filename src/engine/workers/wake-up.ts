// Wake-ups: a hint that something moved, to loops in this process at once and to other processes through NOTIFY. Sent
// outside the write transactions (inside, every commit would queue for the same lock), on the leading edge and then at
// most every so often. All of it may be lost; everybody polls as well.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Database, Statement, StopListening } from "../db/database.ts";

const CHANNEL = "sluice_moved";
const NOTIFY: Statement = { name: "notify", text: `select pg_notify('${CHANNEL}', '')` };
/** After one alone, so that the next one hardly waits; and twice as long each time while there is always something to tell. */
const QUIET_SHORTEST_MS = 5;
const QUIET_LONGEST_MS = 50;
const LISTEN_AGAIN_MS = 1_000;

/** Tells all processes once that something moved, from one that does not listen yet. */
export async function announce(db: Database): Promise<void> {
  await db.query(NOTIFY, []);
}

export interface WakeUpPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** False where notifications cannot arrive or are not wanted: then only this process is woken. */
  readonly notify: boolean;
}

export class WakeUp {
  readonly #ports: WakeUpPorts;
  readonly #listeners = new Set<() => void>();
  readonly #stopped = new AbortController();
  #stopListening: StopListening | undefined;
  #quiet = false;
  #again = false;

  constructor(ports: WakeUpPorts) {
    this.#ports = ports;
  }

  /** Called on every wake-up, local or not. Returns how to stop that. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async start(): Promise<void> {
    if (this.#ports.notify) await this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#stopListening?.();
  }

  /** Something moved here. */
  moved(): void {
    this.#wakeAll();
    if (!this.#ports.notify || this.#stopped.signal.aborted) return;
    if (this.#quiet) this.#again = true;
    else void this.#send();
  }

  #wakeAll(): void {
    for (const listener of this.#listeners) listener();
  }

  async #send(): Promise<void> {
    const { db, clock, log } = this.#ports;
    this.#quiet = true;
    let quietMs = QUIET_SHORTEST_MS;
    do {
      this.#again = false;
      try {
        await db.query(NOTIFY, []);
      } catch (error) {
        log.warn("notify.failed", { error: safeText(error, 300) });
      }
      await clock.sleep(quietMs, this.#stopped.signal);
      quietMs = Math.min(QUIET_LONGEST_MS, quietMs * 2);
    } while (this.#again && !this.#stopped.signal.aborted);
    this.#quiet = false;
  }

  async #listen(): Promise<void> {
    const { db, log } = this.#ports;
    try {
      this.#stopListening = await db.listen(CHANNEL, {
        wake: () => this.#wakeAll(),
        lost: () => void this.#listenLater(),
      });
      // Whatever was told while nobody listened.
      this.#wakeAll();
    } catch (error) {
      log.warn("listen.failed", { error: safeText(error, 300) });
      void this.#listenLater();
    }
  }

  async #listenLater(): Promise<void> {
    const { signal } = this.#stopped;
    await this.#ports.clock.sleep(LISTEN_AGAIN_MS, signal);
    if (!signal.aborted) await this.#listen();
  }
}
