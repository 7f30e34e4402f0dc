// Whether a service that was down is well again is asked by one process at a time, whoever gets the lease: with the
// service's own probe, else by looking at outside work, else by letting one item through.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { toFault, transient } from "../pipeline/fault.ts";
import { takeProbe } from "../services/service.sql.ts";
import { verdictOn } from "../services/verdict.ts";
import type { KnownServices } from "./known-services.ts";
import type { ServiceClients } from "./service-clients.ts";
import type { Report } from "./service-reports.ts";

/**
 * Calls the service once, through `call` and on nobody's behalf. True when it answered, false when there was nothing to ask
 * it; throws what the call threw.
 */
export type Prober = (service: string) => Promise<boolean>;

export interface ProbePorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly known: KnownServices;
  readonly clients: ServiceClients;
  epoch(): string;
  report(service: string, report: Report): void;
  letThrough(service: string): Promise<boolean>;
}

const PROBE_MS = 30_000;
/** An item let through may take as long as its stage allows; a holder that died gives its lease up sooner. */
const LEASE_MS = 3_600_000;
/** Nothing to ask it with: nobody waits, so it can wait too. */
const NOTHING_MS = 5_000;

export class Probes {
  prober: Prober | undefined;
  readonly #ports: ProbePorts;
  /** Who may be asked once although the breaker is open. */
  readonly #asking = new Set<string>();
  /** Asked for, and the answer never came: the lease may be ours, and nobody else would use it. */
  readonly #unsure = new Set<string>();
  /** An item was let through, and has not told yet. */
  readonly #out = new Set<string>();
  readonly #under = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(ports: ProbePorts) {
    this.#ports = ports;
  }

  /** Begins what is due, and waits for none of it. */
  look(): void {
    const { known, clients, log } = this.#ports;
    for (const { name } of known.rows()) {
      const isUnderWay = this.#under.has(name) || this.#out.has(name);
      if (this.#stopping.signal.aborted || isUnderWay || !known.isProbeDue(name) || !clients.has(name)) continue;
      const probing = this.#probe(name)
        .catch((error: unknown) => log.warn("probe.failed", { service: name, error: safeText(error, 300) }))
        .finally(() => this.#under.delete(name));
      this.#under.set(name, probing);
    }
  }

  /** The item that was let through has told what came of it. */
  ended(name: string): void {
    this.#out.delete(name);
  }

  /** True once for each probe: for the one call of the prober. */
  mayAsk(name: string): boolean {
    return this.#asking.delete(name);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#under.values());
  }

  async #probe(name: string): Promise<void> {
    const { db, epoch, log } = this.#ports;
    const holder = epoch();
    const mayBeOurs = this.#unsure.has(name);
    this.#unsure.add(name);
    const isOurs = await takeProbe(db, name, holder, LEASE_MS, mayBeOurs);
    this.#unsure.delete(name);
    if (!isOurs) return;
    log.info("service.probed", { service: name });
    const end = await this.#ask(name);
    // An item was let through: its visit reports.
    if (end === "let through") return;
    this.#out.delete(name);
    this.#ports.report(name, { ...end, item: null, era: 0, at: this.#ports.clock.monotonic(), probe: holder });
  }

  async #ask(name: string): Promise<"let through" | Pick<Report, "verdict" | "retryAfterMs" | "code" | "message">> {
    const { known, letThrough } = this.#ports;
    const { rules } = known.rule(name);
    try {
      if (await this.#inTime(this.#call(name))) return { verdict: "success" };
    } catch (error) {
      const fault = toFault(error);
      const { code, message, retryAfterMs } = fault;
      return { verdict: verdictOn(fault, name), retryAfterMs: retryAfterMs ?? rules.breaker.cooldownMs, code, message };
    }
    const nothing = { verdict: "none", retryAfterMs: NOTHING_MS } as const;
    if (this.#stopping.signal.aborted) return nothing;
    // Before it is: its visit may be over sooner than we are told that it began.
    this.#out.add(name);
    return (await letThrough(name)) ? "let through" : nothing;
  }

  /** False when there is nobody to ask but an item. */
  async #call(name: string): Promise<boolean> {
    const { known, clients } = this.#ports;
    const { probe } = known.rule(name);
    if (probe !== undefined) {
      // The client was given under this service's name; the type was forgotten on the way.
      await probe(clients.client(name) as never);
      return true;
    }
    this.#asking.add(name);
    try {
      return (await this.prober?.(name)) ?? false;
    } finally {
      this.#asking.delete(name);
    }
  }

  async #inTime(asked: Promise<boolean>): Promise<boolean> {
    const over = new AbortController();
    const { signal } = this.#stopping;
    asked.catch(() => undefined);
    const late = this.#ports.clock.sleep(PROBE_MS, AbortSignal.any([over.signal, signal])).then(() => {
      if (over.signal.aborted) return false;
      if (signal.aborted) throw transient("STOPPING", "the worker is stopping", { breaker: "none" });
      throw transient("TIMEOUT", `no answer within ${PROBE_MS} ms`);
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([asked, late]);
    } finally {
      over.abort();
    }
  }
}
