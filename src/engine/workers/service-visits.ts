// What visits do with services: whose call it is, whether its claim has paid for it, and what a visit that called nobody
// through us tells of the service whose lane it came from.

import type { Clock } from "../../kit/index.ts";
import type { VisitResult } from "../items/standing.ts";
import { verdictOn } from "../services/verdict.ts";
import type { Held } from "./held.ts";
import type { KnownServices, ServiceRule } from "./known-services.ts";
import type { CallOptions } from "./service-call.ts";
import type { Report } from "./service-reports.ts";

export interface VisitServicePorts {
  readonly clock: Clock;
  readonly known: KnownServices;
  epoch(): string;
  report(service: string, report: Report): void;
  call<Result>(
    called: string | ServiceRule,
    item: string | null,
    work: (client: unknown) => Promise<Result>,
    options: CallOptions,
  ): Promise<Result>;
}

/** What one visit has done with services so far. */
interface VisitCalls {
  readonly called: Set<string>;
  readonly era: number;
  /** The service whose open breaker it was let through, until it has called. */
  probe: string | undefined;
}

export class ServiceVisits {
  readonly #ports: VisitServicePorts;
  readonly #visits = new WeakMap<Held, VisitCalls>();

  constructor(ports: VisitServicePorts) {
    this.#ports = ports;
  }

  begin(held: Held, probe: string | undefined): void {
    const { service } = held.place;
    if (service === "") return;
    const era = this.#ports.known.row(service)?.changed_at ?? 0;
    this.#visits.set(held, { called: new Set(), era, probe });
  }

  async call<Result>(
    held: Held,
    called: string | ServiceRule,
    work: (client: unknown) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const name = typeof called === "string" ? called : called.name;
    const item = held.row.id;
    const { place } = held;
    if (place.service !== name) return await this.#ports.call(called, item, work, { signal, place });
    const visit = this.#visits.get(held);
    const isPaid = visit?.called.has(name) === false;
    const probe = visit?.probe === name ? this.#ports.epoch() : undefined;
    if (visit !== undefined) {
      visit.called.add(name);
      visit.probe = undefined;
    }
    return await this.#ports.call(called, item, work, { signal, isInside: true, isPaid, probe, place });
  }

  /** How it ended; undefined when it never began, or its process died. */
  ended(held: Held, result: VisitResult | undefined): void {
    const visit = this.#visits.get(held);
    if (visit === undefined) return;
    this.#visits.delete(held);
    const { service, stage } = held.place;
    const uses = held.row.part === null ? stage.uses : stage.parts?.serviceOf(held.row.part);
    const { clock, known, epoch, report } = this.#ports;
    const isTold = visit.called.has(service) || stage.outside !== undefined || uses?.name !== service;
    const told = isTold || result === undefined ? undefined : endOf(service, result);
    const base = { item: held.row.id, era: visit.era, at: clock.monotonic() };
    if (told?.verdict === "success") known.succeeded(service, held.row.id);
    if (told !== undefined && told.code !== undefined) known.failed(service, held.row.id);
    if (visit.probe !== undefined) report(service, { ...base, ...(told ?? NOTHING), probe: epoch() });
    else if (told !== undefined) report(service, { ...base, ...told });
  }
}

type Told = Pick<Report, "verdict" | "retryAfterMs" | "code" | "message">;

const NOTHING: Told = { verdict: "none" };

/** Only what went on, or failed, tells something of the service; who waits or skips may never have asked it. */
function endOf(service: string, result: VisitResult): Told {
  if ("fault" in result) {
    const { retryAfterMs, code, message } = result.fault;
    return { verdict: verdictOn(result.fault, service), retryAfterMs, code, message };
  }
  return "outcome" in result && result.outcome?.type === "done" ? { verdict: "success" } : NOTHING;
}
