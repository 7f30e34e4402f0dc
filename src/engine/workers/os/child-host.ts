// The child's side: waits for visits of suspects and runs them. It has no database; checkpoints and progress go through
// the parent, whose fence they need.

import { Worker } from "node:worker_threads";
import { type Clock, systemClock } from "../../../kit/index.ts";
import type { Fault } from "../../pipeline/fault.ts";
import type { AnyPipeline } from "../../pipeline/pipeline.ts";
import { Deadlines } from "../deadlines.ts";
import type { Held } from "../held.ts";
import { type VisitPorts, visitStage } from "../visit.ts";
import { type FromChild, isWire, packResult, type ToChild, unpackFault, unpackVisit } from "../visit-wire.ts";
import { CHILD_MARK } from "./child.ts";
import { sibling } from "./sibling.ts";

let marked: boolean | undefined;

/** Whether this process was started to visit suspects. The mark is taken off, or what it starts itself would inherit it. */
export function isChildProcess(): boolean {
  marked ??= process.env[CHILD_MARK] !== undefined;
  delete process.env[CHILD_MARK];
  return marked;
}

let host: ChildHost | undefined;

/** Never resolves: the process ends when its parent hangs up. Called again, it knows these pipelines too. */
export function hostChild(pipelines: readonly AnyPipeline[]): Promise<never> {
  const isFirst = host === undefined;
  host ??= new ChildHost(systemClock);
  host.add(pipelines);
  // After the first word, for which somebody waits: a thread takes a while to start.
  if (isFirst) watchParent();
  return new Promise(() => {});
}

const PROGRESS_EVERY_MS = 250;

class ChildHost {
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #pipelines: AnyPipeline[] = [];
  readonly #visits = new Map<number, Held>();
  readonly #saving = new Map<number, (fault: Fault | undefined) => void>();
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#deadlines = new Deadlines(clock);
    // The parent is told to stop as well, and sees to its children; handlers of the program's own would need what
    // openSluice never gave them here.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.removeAllListeners(signal);
      process.on(signal, () => undefined);
    }
    process.on("message", (message: unknown) => {
      // What is marked as ours came from child.ts.
      if (isWire(message)) this.#hear(message as ToChild);
    });
    process.on("disconnect", () => process.exit());
    if (!process.connected) process.exit();
  }

  add(pipelines: readonly AnyPipeline[]): void {
    this.#pipelines.push(...pipelines);
    this.#say({ sluice: "hello" });
  }

  #say(message: FromChild): void {
    // Where it cannot be said the parent is gone, and "disconnect" ends us.
    process.send?.(message, undefined, undefined, () => undefined);
  }

  #hear(message: ToChild): void {
    switch (message.sluice) {
      case "visit": {
        const held = unpackVisit(message.visit, this.#pipelines);
        if (held === undefined) this.#say({ sluice: "unknown", id: message.id });
        else void this.#visit(message.id, held);
        break;
      }
      case "abort":
        this.#visits.get(message.id)?.abort.abort(unpackFault(message.fault));
        break;
      case "saved":
        this.#saving.get(message.ask)?.(message.fault === undefined ? undefined : unpackFault(message.fault));
        break;
    }
  }

  async #visit(id: number, held: Held): Promise<void> {
    this.#visits.set(id, held);
    const result = await visitStage(held, this.#portsFor(id));
    this.#visits.delete(id);
    this.#say({ sluice: "ended", id, result: packResult(result, held.place.stage.name) });
  }

  #portsFor(id: number): VisitPorts {
    return {
      deadlines: this.#deadlines,
      saveCheckpoint: (_held, value) => this.#save(id, value),
      reportProgress: this.#progressOf(id),
    };
  }

  async #save(id: number, value: string): Promise<void> {
    this.#asked += 1;
    const ask = this.#asked;
    const fault = await new Promise<Fault | undefined>((resolve) => {
      this.#saving.set(ask, resolve);
      this.#say({ sluice: "checkpoint", id, ask, value });
    });
    this.#saving.delete(ask);
    if (fault !== undefined) throw fault;
  }

  /** The first at once, then the newest now and then: stages report as often as they like. */
  #progressOf(id: number): VisitPorts["reportProgress"] {
    let newest: number | undefined;
    let isResting = false;
    const flush = async (): Promise<void> => {
      if (isResting || newest === undefined || !this.#visits.has(id)) return;
      this.#say({ sluice: "progress", id, percent: newest });
      newest = undefined;
      isResting = true;
      await this.#clock.sleep(PROGRESS_EVERY_MS);
      isResting = false;
      await flush();
    };
    return (_held, percent) => {
      newest = percent;
      void flush();
    };
  }
}

/** Code that never returns to the event loop would not hear the parent hang up, and spin for ever. */
function watchParent(): void {
  const watch = new Worker(sibling("parent-watch", import.meta.url), { workerData: process.ppid, execArgv: [] });
  watch.unref();
  // Without it a child in an endless loop outlives its parent; no reason to refuse work.
  watch.on("error", () => undefined);
}
