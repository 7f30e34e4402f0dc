// Threads for handlers that compute. As many as leave a core for everything else, started when they are needed, kept for the
// next visit; one that does not stop when it is told to is ended.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type Clock, safeText, systemClock } from "../../../kit/index.ts";
import { toFault, transient } from "../../pipeline/fault.ts";
import type { Outcome } from "../../pipeline/outcome.ts";
import type { Visit } from "../../pipeline/visit.ts";
import type { Threads } from "../threads.ts";
import { packFault, unpackResult } from "../visit-wire.ts";
import { sibling } from "./sibling.ts";
import type { FromThread, ThreadVisit, ToThread } from "./thread-messages.ts";

export interface ThreadPoolOptions {
  readonly most?: number;
  /** How long a handler may take to end after its signal was aborted. */
  readonly graceMs?: number;
  /** Of its own objects; beyond it the thread dies, and no other. */
  readonly memoryMb?: number;
  readonly clock?: Clock;
}

interface Job {
  readonly id: number;
  readonly module: string;
  readonly visit: Visit;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
}

const STOPPING = transient("STOPPING", "the worker is stopping");

export function threadPool(options: ThreadPoolOptions = {}): Threads {
  return new ThreadPool(options);
}

class ThreadPool implements Threads {
  readonly #most: number;
  readonly #graceMs: number;
  readonly #memoryMb: number;
  readonly #clock: Clock;
  readonly #threads = new Set<Thread>();
  #waiting: Job[] = [];
  #count = 0;
  #isStopped = false;

  constructor(options: ThreadPoolOptions) {
    this.#most = options.most ?? Math.max(1, availableParallelism() - 1);
    this.#graceMs = options.graceMs ?? 1_000;
    this.#memoryMb = options.memoryMb ?? 1_024;
    this.#clock = options.clock ?? systemClock;
  }

  run(module: string, visit: Visit): Promise<Outcome> {
    this.#count += 1;
    const id = this.#count;
    return new Promise<Outcome>((resolve, reject) => {
      const over = new AbortController();
      const end = <Value>(tell: (value: Value) => void) => {
        return (value: Value) => {
          over.abort();
          tell(value);
        };
      };
      const job: Job = { id, module, visit, resolve: end(resolve), reject: end(reject) };
      visit.signal.addEventListener("abort", () => void this.#abort(job, over.signal), { signal: over.signal });
      if (visit.signal.aborted) return job.reject(visit.signal.reason);
      if (this.#isStopped) return job.reject(STOPPING);
      this.#waiting.push(job);
      this.#place();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const job of this.#waiting.splice(0)) job.reject(STOPPING);
    for (const { job } of this.#threads) job?.reject(STOPPING);
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #place(): void {
    while (this.#waiting.length > 0 && !this.#isStopped) {
      const thread = [...this.#threads].find((one) => one.job === undefined) ?? this.#start();
      if (thread === undefined) return;
      const job = this.#waiting.shift() as Job;
      thread.job = job;
      try {
        tell(thread, { type: "visit", id: job.id, module: job.module, visit: cloneable(job.visit) });
      } catch (error) {
        thread.job = undefined;
        job.reject(error);
      }
    }
  }

  #start(): Thread | undefined {
    if (this.#threads.size >= this.#most) return undefined;
    const worker = new Worker(sibling("visit-thread", import.meta.url), {
      name: "sluice visit",
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb },
    });
    const thread: Thread = { worker, job: undefined };
    let how = "";
    worker.on("message", (message: FromThread) => void this.#hear(thread, message));
    worker.on("error", (error) => {
      how = safeText(error, 500);
    });
    worker.once("exit", (code) => {
      this.#threads.delete(thread);
      const why = how === "" ? `it exited with code ${code}` : how;
      // Nobody's service is to blame.
      thread.job?.reject(transient("THREAD_DIED", `its thread died: ${why}`, { breaker: "none" }));
      this.#place();
    });
    worker.unref();
    this.#threads.add(thread);
    return thread;
  }

  async #hear(thread: Thread, message: FromThread): Promise<void> {
    const { job } = thread;
    if (job === undefined || job.id !== message.id) return;
    switch (message.type) {
      case "ended": {
        thread.job = undefined;
        const result = unpackResult(message.result);
        if ("outcome" in result) job.resolve(result.outcome);
        else if ("fault" in result) job.reject(result.fault);
        this.#place();
        break;
      }
      case "checkpoint": {
        const { id, ask } = message;
        const fault = await job.visit.checkpoint.save(message.value).then(() => undefined, toFault);
        tell(thread, { type: "saved", id, ask, ...(fault === undefined ? {} : { fault: packFault(fault) }) });
        break;
      }
      case "progress":
        job.visit.progress(message.percent);
        break;
      case "log":
        job.visit.log[message.level](message.text, message.facts);
        break;
    }
  }

  /** It is told, and has a moment to end by itself; code that computes does not hear it, and is ended with its thread. */
  async #abort(job: Job, over: AbortSignal): Promise<void> {
    const { reason } = job.visit.signal;
    const thread = [...this.#threads].find((one) => one.job === job);
    if (thread === undefined) {
      this.#waiting = this.#waiting.filter((one) => one !== job);
      return job.reject(reason);
    }
    tell(thread, { type: "abort", id: job.id, fault: packFault(toFault(reason)) });
    await this.#clock.sleep(this.#graceMs, over);
    if (over.aborted) return;
    job.reject(reason);
    thread.job = undefined;
    this.#threads.delete(thread);
    await thread.worker.terminate();
  }
}

function tell(thread: Thread, message: ToThread): void {
  thread.worker.postMessage(message);
}

/** A visit answers when it is asked; what it answers is what travels. */
function cloneable(visit: Visit): ThreadVisit {
  const { input, part, out, pipeline, stage, item, key, trace, attempt, because } = visit;
  return {
    ...{ input, part, out, pipeline, stage, item, key, trace, attempt, because },
    checkpoint: visit.checkpoint.value,
  };
}
