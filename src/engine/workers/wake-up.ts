// Wake-ups: a hint that something moved, to loops in this process at once and to other processes through NOTIFY: on the
// leading edge, and then at most every so often. In a statement of its own, because in write transactions every commit would
// queue for the same lock; only what takes the leading edge may carry it, and saves others a round trip. All of it may be
// lost; everybody polls as well.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Database, StopListening } from "../db/database.ts";
import { CHANNEL, NOTIFY } from "./notify.sql.ts";

/** What works here. */
export interface WakeUpWorker {
  /** There may be something to claim. */
  wake(): void;
  /** A notification said more than that. False where it is not understood. */
  receive(letter: string): boolean;
  /** Nothing will come any more, until this process listens again. */
  deaf(): void;
}

/** After a few, so that the next one hardly waits; and twice as long each time while there is much to tell. */
const QUIET_SHORTEST_MS = 5;
const QUIET_LONGEST_MS = 50;
/** Who hands in one after the other, each when the last is begun, moves no more in so short a time. */
const FEW_MOVES = 2;
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
  #worker: WakeUpWorker | undefined;
  #started: Promise<void> | undefined;
  #stopListening: StopListening | undefined;
  #isListening = false;
  #heard = 0;
  /** By the monotonic clock. A time, and no timer: mostly nothing is left to be told when it is over. */
  #quietUntil = Number.NEGATIVE_INFINITY;
  /** What was not told yet, while it is quiet. */
  #untold = 0;
  #isTelling = false;

  constructor(ports: WakeUpPorts) {
    this.#ports = ports;
  }

  /**
   * Called on every wake-up, local or not. Returns how to stop that. Nobody is listened to before: a process that only hands in would
   * be woken by what it said itself, while the one that is meant waits for the processor.
   */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    void this.start();
    return () => this.#listeners.delete(listener);
  }

  /** The same for what works here, which takes no interest in what others were handed. */
  addWorker(worker: WakeUpWorker): () => void {
    this.#worker = worker;
    return () => {
      this.#worker = undefined;
    };
  }

  /** How many notifications have come; undefined where none can come now. */
  get heard(): number | undefined {
    return this.#isListening ? this.#heard : undefined;
  }

  /** Resolves when it listens, or has found that it cannot yet. */
  start(): Promise<void> {
    this.#started ??= this.#ports.notify ? this.#listen() : Promise.resolve();
    return this.#started;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#isListening = false;
    await this.#stopListening?.();
  }

  /** Something moved here. */
  moved(): void {
    this.movedHere();
    if (this.#mayTell()) this.#tellWhenQuiet();
  }

  /** Where it is in good hands already, nobody is woken here; all are told when this time is quiet, with what comes of it. */
  movedSoon(): void {
    if (!this.#mayTell()) {
      this.movedHere();
      return;
    }
    this.#takeQuiet();
    this.#tellWhenQuiet();
  }

  /** The same, where the others have been told already. */
  movedHere(): void {
    this.#worker?.wake();
    for (const listener of this.#listeners) listener();
  }

  /** What was handed over is one process' to begin. The others only have something to show. */
  #hear(letter: string): void {
    this.#heard += 1;
    if (letter === "" || this.#worker?.receive(letter) === false) this.movedHere();
    else for (const listener of this.#listeners) listener();
  }

  /**
   * Whether a statement that is sent now is to tell the others itself, so that they hear of it with its commit. If so, the
   * quiet time has begun, whatever becomes of the statement.
   */
  takeEdge(): boolean {
    return this.#mayTell() && this.#takeQuiet();
  }

  #mayTell(): boolean {
    return this.#ports.notify && !this.#stopped.signal.aborted;
  }

  /** False where it is quiet already. */
  #takeQuiet(): boolean {
    const now = this.#ports.clock.monotonic();
    if (this.#isTelling || now < this.#quietUntil) return false;
    this.#quietUntil = now + QUIET_SHORTEST_MS;
    return true;
  }

  #tellWhenQuiet(): void {
    this.#untold += 1;
    if (!this.#isTelling) void this.#tell();
  }

  /** When the quiet time is over, and again until nothing more is to be told. */
  async #tell(): Promise<void> {
    const { clock } = this.#ports;
    const { signal } = this.#stopped;
    this.#isTelling = true;
    const left = this.#quietUntil - clock.monotonic();
    if (left > 0) await clock.sleep(left, signal);
    let quietMs = QUIET_SHORTEST_MS;
    while (this.#untold > 0 && !signal.aborted) {
      quietMs = this.#untold > FEW_MOVES ? Math.min(QUIET_LONGEST_MS, quietMs * 2) : QUIET_SHORTEST_MS;
      this.#untold = 0;
      await this.#notify();
      await clock.sleep(quietMs, signal);
    }
    this.#isTelling = false;
  }

  async #notify(): Promise<void> {
    const { db, log } = this.#ports;
    try {
      await db.query(NOTIFY, []);
    } catch (error) {
      log.warn("notify.failed", { error: safeText(error, 300) });
    }
  }

  async #listen(): Promise<void> {
    const { db, log } = this.#ports;
    const { signal } = this.#stopped;
    if (signal.aborted) return;
    try {
      const stopListening = await db.listen(CHANNEL, {
        wake: (letter) => this.#hear(letter),
        lost: () => {
          this.#isListening = false;
          this.#worker?.deaf();
          void this.#listenLater();
        },
      });
      this.#stopListening = stopListening;
      if (signal.aborted) return await stopListening();
      this.#isListening = true;
      // Whatever was told while nobody listened.
      this.movedHere();
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
