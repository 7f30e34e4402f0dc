// A heart that beats from a thread of its own. This side starts the thread, and starts it anew when it ends unasked.

import { Worker } from "node:worker_threads";
import { type Clock, type Logger, safeText, systemClock } from "../../../kit/index.ts";
import { BEAT_EVERY_MS, type Heart, type HeartListener } from "../heart.ts";
import { NO_INVITATION } from "../worker-row.sql.ts";
import type { FromHeart, HeartThreadData, ToHeart } from "./heart-messages.ts";
import { sibling } from "./sibling.ts";

export interface ThreadHeartOptions {
  readonly log: Logger;
  readonly listener: HeartListener;
  readonly clock?: Clock;
  readonly everyMs?: number;
  /** False behind a pooler: the server process it speaks to is then nobody's in particular. */
  readonly direct?: boolean;
  /** The file to run in the thread; tests bring one that dies. */
  readonly thread?: URL;
}

const RESTART_SHORTEST_MS = 100;
const RESTART_LONGEST_MS = 5_000;
/** A statement in hand may take this long to give up; after that the thread is ended from outside. */
const STOP_MS = 3_000;

export function threadHeart(url: string, options: ThreadHeartOptions): Heart {
  return new ThreadHeart(url, options);
}

class ThreadHeart implements Heart {
  readonly #data: HeartThreadData;
  readonly #options: ThreadHeartOptions;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #thread: Worker | undefined;
  #epoch: string | undefined;
  #generation: string | undefined;
  #crashes = 0;

  constructor(url: string, options: ThreadHeartOptions) {
    const { everyMs = BEAT_EVERY_MS, direct = true, clock = systemClock } = options;
    this.#data = { url, everyMs, direct };
    this.#options = options;
    this.#clock = clock;
  }

  async start(epoch: string): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#epoch = epoch;
    if (this.#thread === undefined) this.#launch();
    else this.#tell({ type: "start", epoch });
  }

  acknowledge(generation: string): void {
    this.#generation = generation;
    this.#tell({ type: "acknowledge", generation });
  }

  hurry(): void {
    this.#tell({ type: "hurry" });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const thread = this.#thread;
    if (thread === undefined) return;
    // Back on the list of what the process waits for, or it could end before the thread has.
    thread.ref();
    // Not events.once, which fails when the thread dies of an error just now.
    const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
    this.#tell({ type: "stop" });
    const over = new AbortController();
    const late = this.#clock.sleep(STOP_MS, over.signal).then(async () => {
      if (!over.signal.aborted) await thread.terminate();
    });
    await Promise.race([ended, late]);
    over.abort();
  }

  #tell(message: ToHeart): void {
    this.#thread?.postMessage(message);
  }

  #launch(): void {
    const file = this.#options.thread ?? sibling("heart-thread", import.meta.url);
    // No flags of the process: what runs in there is ours alone, and some (--input-type) would keep it from starting.
    const thread = new Worker(file, {
      name: "sluice beat",
      workerData: this.#data,
      execArgv: [],
      // It beats: what else it allocates is gone at once.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    });
    this.#thread = thread;
    thread.on("message", (message: FromHeart) => this.#hear(message));
    thread.on("error", (error) => this.#options.log.error("heart.crashed", { error: safeText(error, 500) }));
    thread.once("exit", (code) => void this.#ended(thread, code));
    // A beat alone is no reason for a process to stay. Only now: to listen for messages takes a hold of it again.
    thread.unref();
    if (this.#epoch !== undefined) this.#tell({ type: "start", epoch: this.#epoch });
    if (this.#generation !== undefined) this.#tell({ type: "acknowledge", generation: this.#generation });
  }

  #hear(message: FromHeart): void {
    const { listener, log } = this.#options;
    switch (message.type) {
      case "beaten":
        this.#crashes = 0;
        if (message.epoch === this.#epoch) listener.beaten(message.generation);
        break;
      case "foundDead":
        if (message.epoch !== this.#epoch) break;
        // A thread started anew must not ask for a life that is over.
        this.#epoch = undefined;
        listener.foundDead();
        break;
      case "asks":
        void this.#invite();
        break;
      case "log":
        log[message.level](message.event, message.facts);
        break;
    }
  }

  async #invite(): Promise<void> {
    const invitation = (await this.#options.listener.invitation?.()) ?? NO_INVITATION;
    this.#tell({ type: "invites", invitation });
  }

  async #ended(thread: Worker, code: number): Promise<void> {
    if (this.#thread === thread) this.#thread = undefined;
    if (this.#stopping.signal.aborted) return;
    const delayMs = Math.min(RESTART_LONGEST_MS, RESTART_SHORTEST_MS * 2 ** Math.min(this.#crashes, 10));
    this.#crashes += 1;
    this.#options.log.error("heart.ended", { code, restartInMs: delayMs });
    await this.#clock.sleep(delayMs, this.#stopping.signal);
    // A new life may have started a thread meanwhile.
    if (!this.#stopping.signal.aborted && this.#thread === undefined) this.#launch();
  }
}
