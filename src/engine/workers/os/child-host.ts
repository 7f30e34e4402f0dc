// The child's side: waits for visits of suspects and runs them. It has no database; checkpoints and progress go through
// the parent, whose fence they need, and whether a service may be called is asked there, too.

import { Worker } from "node:worker_threads";
import { type Clock, systemClock } from "../../../kit/index.ts";
import type { Around } from "../../pipeline/around.ts";
import { type Fault, toFault, unavailable } from "../../pipeline/fault.ts";
import type { AnyPipeline } from "../../pipeline/pipeline.ts";
import { blamedOn } from "../../services/verdict.ts";
import { Deadlines } from "../deadlines.ts";
import { Gathering } from "../gathering.ts";
import type { Held } from "../held.ts";
import type { ServiceRule } from "../known-services.ts";
import { type GivenClients, ServiceClients } from "../service-clients.ts";
import { inlineThreads } from "../threads.ts";
import { type VisitPorts, visitStage } from "../visit.ts";
import type { LogNews } from "../visit-log.ts";
import {
  type FromChild,
  isWire,
  packFault,
  packResult,
  type ToChild,
  unpackFault,
  unpackVisit,
} from "../visit-wire.ts";
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
export function hostChild(
  pipelines: readonly AnyPipeline[],
  clients: GivenClients = {},
  around: readonly Around[] = [],
): Promise<never> {
  const isFirst = host === undefined;
  host ??= new ChildHost(systemClock);
  host.add(pipelines, clients, around);
  // After the first word, for which somebody waits: a thread takes a while to start.
  if (isFirst) watchParent();
  return new Promise(() => {});
}

const TELL_EVERY_MS = 250;

class ChildHost {
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #alone: Gathering;
  readonly #pipelines: AnyPipeline[] = [];
  readonly #visits = new Map<number, Held>();
  readonly #asking = new Map<number, (fault: Fault | undefined) => void>();
  /** By pipeline: a program may open several with wrappers of their own. */
  readonly #around = new Map<AnyPipeline, readonly Around[]>();
  #given: GivenClients = {};
  #clients = new ServiceClients({});
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#deadlines = new Deadlines(clock);
    this.#alone = new Gathering(clock);
    this.#alone.hurry();
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

  add(pipelines: readonly AnyPipeline[], clients: GivenClients, around: readonly Around[]): void {
    this.#pipelines.push(...pipelines);
    for (const pipeline of pipelines) this.#around.set(pipeline, around);
    this.#clients = new ServiceClients({ ...this.#given, ...clients });
    this.#given = { ...this.#given, ...clients };
    this.#say({ sluice: "hello" });
  }

  #say(message: FromChild): void {
    // Where it cannot be said the parent is gone, and "disconnect" ends us.
    process.send?.(message, undefined, undefined, () => undefined);
  }

  #hear(message: ToChild): void {
    switch (message.sluice) {
      case "visit": {
        const held = unpackVisit(message.visit, this.#pipelines, this.#clock.monotonic());
        if (held === undefined) this.#say({ sluice: "unknown", id: message.id });
        else void this.#visit(message.id, held, message.visit.installation);
        break;
      }
      case "abort":
        this.#visits.get(message.id)?.abort.abort(unpackFault(message.fault));
        break;
      case "saved":
      case "may":
        this.#asking.get(message.ask)?.(message.fault === undefined ? undefined : unpackFault(message.fault));
        break;
    }
  }

  async #visit(id: number, held: Held, installation: string): Promise<void> {
    this.#visits.set(id, held);
    const result = await visitStage(held, this.#portsFor(id, held, installation));
    this.#visits.delete(id);
    const notes = newsOf(held);
    this.#say({
      ...{ sluice: "ended", id, result: packResult(result, held.place.stage.name) },
      ...(notes === undefined ? {} : { notes }),
    });
  }

  #portsFor(id: number, held: Held, installation: string): VisitPorts {
    return {
      around: this.#around.get(held.place.pipeline) ?? [],
      // Each alone: who of several in one call killed the process, nobody could say.
      gathering: this.#alone,
      clock: this.#clock,
      // Blocking is what a child is for, and its parent ends it.
      threads: inlineThreads(),
      deadlines: this.#deadlines,
      installation,
      call: (_held, service, work) => this.#call(id, service, work),
      saveCheckpoint: (_held, value) => this.#save(id, value),
      reportProgress: this.#progressOf(id),
      noted: this.#notesOf(id),
    };
  }

  async #save(id: number, value: string): Promise<void> {
    await this.#ask((ask) => ({ sluice: "checkpoint", id, ask, value }));
  }

  /** The parent knows whether it may; what is called, is called from here. */
  async #call<Result>(
    id: number,
    called: string | ServiceRule,
    work: (client: unknown) => Promise<Result>,
  ): Promise<Result> {
    const service = typeof called === "string" ? called : { name: called.name, rules: called.rules };
    const name = typeof called === "string" ? called : called.name;
    const ask = await this.#ask((number) => ({ sluice: "call", id, ask: number, service }));
    try {
      if (!this.#clients.has(name))
        throw unavailable("NO_CLIENT", `this process was given no client for ${name}`, {
          service: name,
          breaker: "none",
        });
      const result = await work(this.#clients.client(name));
      this.#say({ sluice: "called", id, ask });
      return result;
    } catch (error) {
      const fault = blamedOn(toFault(error), name);
      this.#say({ sluice: "called", id, ask, fault: packFault(fault) });
      throw fault;
    }
  }

  /** Throws what the parent answers with, where it is a fault. */
  async #ask(question: (ask: number) => FromChild): Promise<number> {
    this.#asked += 1;
    const ask = this.#asked;
    const fault = await new Promise<Fault | undefined>((resolve) => {
      this.#asking.set(ask, resolve);
      this.#say(question(ask));
    });
    this.#asking.delete(ask);
    if (fault !== undefined) throw fault;
    return ask;
  }

  #progressOf(id: number): VisitPorts["reportProgress"] {
    let newest: number | undefined;
    const tell = this.#nowAndThen(id, () => {
      if (newest !== undefined) this.#say({ sluice: "progress", id, percent: newest });
    });
    return (_held, percent) => {
      newest = percent;
      tell();
    };
  }

  #notesOf(id: number): VisitPorts["noted"] {
    let held: Held | undefined;
    const tell = this.#nowAndThen(id, () => {
      const notes = held === undefined ? undefined : newsOf(held);
      if (notes !== undefined) this.#say({ sluice: "noted", id, notes });
    });
    return (noting) => {
      held = noting;
      tell();
    };
  }

  /** The first at once, then the newest now and then: stages report as often as they like. */
  #nowAndThen(id: number, say: () => void): () => void {
    let hasNews = false;
    let isResting = false;
    const tell = async (): Promise<void> => {
      if (isResting || !hasNews || !this.#visits.has(id)) return;
      hasNews = false;
      isResting = true;
      say();
      await this.#clock.sleep(TELL_EVERY_MS);
      isResting = false;
      await tell();
    };
    return () => {
      hasNews = true;
      void tell();
    };
  }
}

/** What the parent has not been told; after that it has. */
function newsOf({ log }: Held): LogNews | undefined {
  if (log === undefined || log.count === log.written) return undefined;
  const news = log.since(log.written);
  log.written = log.count;
  return news;
}

/** Code that never returns to the event loop would not hear the parent hang up, and spin for ever. */
function watchParent(): void {
  const watch = new Worker(sibling("parent-watch", import.meta.url), { workerData: process.ppid, execArgv: [] });
  watch.unref();
  // Without it a child in an endless loop outlives its parent; no reason to refuse work.
  watch.on("error", () => undefined);
}
