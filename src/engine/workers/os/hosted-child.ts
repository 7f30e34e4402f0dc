// A child and the visits that are in it.

import type { Clock, Logger } from "../../../kit/index.ts";
import { type Fault, toFault, transient } from "../../pipeline/fault.ts";
import { taken } from "../late.ts";
import type { ChildLoad } from "../suspects.ts";
import {
  type FromChild,
  packFault,
  packVisit,
  takeNotes,
  unpackFault,
  unpackResult,
  type WireFault,
} from "../visit-wire.ts";
import { Child, type Entry } from "./child.ts";
import type { HostedLimits, Pending } from "./hosted-visit.ts";

export interface HostedPorts {
  readonly clock: Clock;
  readonly log: Logger;
  /** These were not at fault when their child was ended: another one has to take them. */
  putBack(visits: readonly Pending[]): void;
  /** The child lacks the pipeline of this one. */
  unknown(visit: Pending): void;
  neverCameUp(visits: readonly Pending[], how: string): void;
  /** There may be room. */
  changed(): void;
  gone(child: HostedChild): void;
}

export class HostedChild implements ChildLoad {
  readonly isAlone: boolean;
  readonly gone: Promise<void>;
  readonly #child: Child;
  readonly #ports: HostedPorts;
  readonly #limits: HostedLimits;
  readonly #visits = new Map<number, Pending>();
  /** Calls to services that are under way in there. */
  readonly #calls = new Map<number, (fault: WireFault | undefined) => void>();
  #isUp = false;
  #isClosing = false;
  #idle = new AbortController();
  #count = 0;

  constructor(entry: Entry, isAlone: boolean, limits: HostedLimits, ports: HostedPorts) {
    this.isAlone = isAlone;
    this.#ports = ports;
    this.#limits = limits;
    this.#child = new Child(entry, ports.clock, {
      heard: (message) => this.#hear(message),
      ended: (how) => this.#ended(how),
    });
    this.gone = this.#child.gone;
    void ports.clock.sleep(limits.startMs, this.#idle.signal).then(() => {
      if (!this.#isUp) this.#child.kill();
    });
  }

  get visits(): number {
    return this.#visits.size;
  }

  get lasting(): number {
    const since = this.#ports.clock.monotonic() - this.#limits.lastingMs;
    return [...this.#visits.values()].filter((one) => one.deliveredAt <= since).length;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  take(pending: Pending): void {
    this.#count += 1;
    this.#visits.set(this.#count, pending);
    if (this.#isUp) this.#deliver(this.#count, pending);
  }

  /** Takes nothing more; ends once it is empty. */
  close(): void {
    this.#isClosing = true;
    if (this.#visits.size === 0) this.#child.end();
  }

  /** Ends it now, and answers with what was in it. */
  kill(): Pending[] {
    this.#isClosing = true;
    const left = [...this.#visits.values()];
    this.#visits.clear();
    this.#child.kill();
    return left;
  }

  #deliver(id: number, pending: Pending): void {
    const { held, over, ports } = pending;
    pending.deliveredAt = this.#ports.clock.monotonic();
    const visit = packVisit(held, ports.installation, pending.deliveredAt);
    this.#child.send({ sluice: "visit", id, visit });
    const { name, timeoutMs } = held.place.stage;
    void this.#ports.clock.sleep(timeoutMs + this.#limits.stuckMs, over.signal).then(() => {
      this.#giveUp(id, transient("TIMEOUT", `${name} took longer than ${timeoutMs} ms and could not be stopped`));
    });
    const tell = () => void this.#abort(id, pending);
    if (held.abort.signal.aborted) tell();
    else held.abort.signal.addEventListener("abort", tell, { signal: over.signal });
  }

  async #abort(id: number, pending: Pending): Promise<void> {
    const fault = toFault(pending.held.abort.signal.reason);
    // What goes on in there after that is nobody's, and must not be blamed on who comes next.
    this.#isClosing = true;
    this.#child.send({ sluice: "abort", id, fault: packFault(fault) });
    await this.#ports.clock.sleep(this.#limits.abortMs, pending.over.signal);
    this.#giveUp(id, fault);
  }

  /** This visit does not return: its child is ended, and the others in it go elsewhere. */
  #giveUp(id: number, fault: Fault): void {
    const pending = this.#visits.get(id);
    if (pending === undefined) return;
    this.#visits.delete(id);
    pending.resolve({ fault });
    this.#ports.putBack(this.kill());
  }

  #hear(message: FromChild): void {
    const pending = message.sluice === "hello" ? undefined : this.#visits.get(message.id);
    switch (message.sluice) {
      case "hello":
        this.#hello();
        break;
      case "ended": {
        if (pending === undefined) break;
        takeNotes(pending.held, message.notes);
        const result = unpackResult(message.result);
        // Its code may run on, as after an abort.
        if ("fault" in result && result.fault.code === "TIMEOUT") this.#isClosing = true;
        this.#finish(message.id);
        // Whether a failure opened the breaker decides what becomes of the item, so that is known first.
        void Promise.all(pending.reports).then(() => pending.resolve(result));
        break;
      }
      case "unknown":
        this.#finish(message.id);
        if (pending !== undefined) this.#ports.unknown(pending);
        break;
      case "checkpoint":
        void this.#save(message, pending);
        break;
      case "call":
        void this.#call(message, pending);
        break;
      case "called":
        this.#calls.get(message.ask)?.(message.fault);
        break;
      case "progress":
        pending?.ports.reportProgress(pending.held, message.percent);
        break;
      case "noted":
        if (pending === undefined) break;
        takeNotes(pending.held, message.notes);
        pending.ports.noted(pending.held);
        break;
    }
  }

  #hello(): void {
    if (this.#isUp) return;
    this.#isUp = true;
    for (const [id, pending] of this.#visits) this.#deliver(id, pending);
    this.#ports.changed();
    // Those it was started for may have found room elsewhere meanwhile.
    if (this.#visits.size === 0) void this.#endWhenIdle(this.#count);
  }

  async #save(asked: Extract<FromChild, { sluice: "checkpoint" }>, pending: Pending | undefined): Promise<void> {
    const { id, ask, value } = asked;
    try {
      if (pending === undefined) throw taken("the item is no longer in this worker's hands");
      await pending.ports.saveCheckpoint(pending.held, value);
      this.#child.send({ sluice: "saved", id, ask });
    } catch (error) {
      this.#child.send({ sluice: "saved", id, ask, fault: packFault(toFault(error)) });
    }
  }

  /** Behind the breaker, the rate and the report of this process; told to stop, it says nothing about the service. */
  async #call(asked: Extract<FromChild, { sluice: "call" }>, pending: Pending | undefined): Promise<void> {
    const { id, ask, service } = asked;
    const written = Promise.withResolvers<void>();
    const work = () =>
      new Promise<void>((resolve, reject) => {
        this.#calls.set(ask, (fault) => {
          pending?.reports.push(written.promise);
          return fault === undefined ? resolve() : reject(unpackFault(fault));
        });
        this.#child.send({ sluice: "may", id, ask });
      });
    const called = typeof service === "string" ? service : { ...service, probe: undefined };
    try {
      if (pending === undefined) throw taken("the item is no longer in this worker's hands");
      const { held, over, ports } = pending;
      await ports.call(held, called, work, AbortSignal.any([over.signal, held.abort.signal]));
    } catch (error) {
      // What came of the call itself the child knows; only that there was none it has to be told.
      if (!this.#calls.has(ask)) this.#child.send({ sluice: "may", id, ask, fault: packFault(toFault(error)) });
    } finally {
      this.#calls.delete(ask);
      written.resolve();
    }
  }

  #finish(id: number): void {
    this.#visits.delete(id);
    this.#ports.changed();
    if (this.#visits.size > 0) return;
    if (this.isAlone || this.#isClosing) this.close();
    else void this.#endWhenIdle(this.#count);
  }

  async #endWhenIdle(count: number): Promise<void> {
    await this.#ports.clock.sleep(this.#limits.idleMs, this.#idle.signal);
    if (this.#visits.size === 0 && this.#count === count) this.close();
  }

  #ended(how: string): void {
    this.#idle.abort();
    const left = [...this.#visits.values()];
    this.#visits.clear();
    this.#bereave(left, how);
    this.#isClosing = true;
    this.#ports.gone(this);
  }

  #bereave(left: readonly Pending[], how: string): void {
    if (!this.#isUp && !this.#isClosing) this.#ports.neverCameUp(left, how);
    else if (left.length === 0) return;
    // Somebody who was told to stop, or out of time, may have gone on in there: then nobody can say whose doing it was.
    else if (this.#isClosing) this.#ports.putBack(left);
    else {
      this.#ports.log.warn("suspects.crashed", { how, items: left.map((one) => one.held.row.id) });
      for (const pending of left) pending.resolve({ crashed: how });
    }
  }
}
