// What is asked of services, and when: nobody but one probe while the breaker is open and everybody knows it, and nothing
// without a place in the rate.

import type { Counts } from "./counts.ts";
import type { Invariants } from "./invariants.ts";
import type { CallKind } from "./jobs-service.ts";
import type { Party } from "./scheduler.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { Violation } from "./violation.ts";

export interface Call {
  readonly process: SimulatedProcess;
  readonly service: string;
  readonly kind: CallKind;
  readonly key: string | undefined;
}

export interface CallTruths {
  readonly invariants: Invariants;
  readonly counts: Counts;
  /** What each epoch has acknowledged of the valves. */
  readonly acknowledged: ReadonlyMap<string, bigint>;
  /** Changes whenever the database's clock is set. */
  clockEra(): number;
}

type Grants = readonly (readonly [at: number, count: number])[];

export class CallChecks {
  readonly #truths: CallTruths;
  /** Probes that have not been answered yet. */
  readonly #probing = new Map<Call, { epoch: string; era: number }>();
  readonly #probed = new Set<string>();
  readonly #places = new Map<Party, Map<string, number>>();
  readonly #grants = new Map<string, Grants>();

  constructor(truths: CallTruths) {
    this.#truths = truths;
  }

  /** Places in a rate were taken; inside a transaction that may still be rolled back. */
  granted(party: Party, service: string, grants: Grants): void {
    const before = new Map(this.#grants.get(service));
    const taken = grants.reduce((sum, [at, count]) => sum + Math.max(0, count - (before.get(at) ?? 0)), 0);
    this.#grants.set(service, grants);
    const mine = this.#places.get(party) ?? new Map<string, number>();
    mine.set(service, (mine.get(service) ?? 0) + taken);
    this.#places.set(party, mine);
  }

  issued(call: Call): void {
    const { process, service, kind } = call;
    const { last } = this.#truths.invariants;
    const row = last.services.find(([name]) => name === service);
    const epoch = process.epochs.at(-1) ?? "";
    const alive = last.workers.filter(([, state]) => state === 0).map(([one]) => one);
    if (row === undefined) throw new Violation("breaker", `${service} is called and was never registered`);
    // One that was taken for dead may still act until it finds out.
    if (!alive.includes(epoch)) return;
    const [, isOpen, probeEpoch, probeUntil, , limit] = row;
    const isProbe = isOpen && probeEpoch !== null && process.epochs.includes(probeEpoch);
    if (limit !== null && !isProbe) this.#pay(call);
    if (!isOpen) return;
    const generation = last.valves.find((valve) => valve[4] === "breaker" && valve[5] === service)?.[2] ?? 0;
    const isKnown = alive.every((one) => (this.#truths.acknowledged.get(one) ?? 0n) >= BigInt(generation));
    if (isKnown) this.#truths.counts.add("checked: breaker");
    if (isProbe) this.#probe(call, { epoch, lease: `${service}/${probeEpoch}/${probeUntil}`, alive });
    if (isProbe || !isKnown) return;
    throw new Violation("breaker", `${process.name} calls ${service} (${kind}), which is open, and everybody knows it`);
  }

  answered(call: Call): void {
    this.#probing.delete(call);
  }

  #probe(call: Call, { epoch, lease, alive }: { epoch: string; lease: string; alive: readonly string[] }): void {
    const { counts, clockEra } = this.#truths;
    counts.add("checked: one probe");
    const era = clockEra();
    if (this.#probed.has(lease))
      throw new Violation("breaker", `${call.process.name} calls ${call.service} twice for one probe`);
    this.#probed.add(lease);
    for (const [other, asked] of this.#probing) {
      // Whoever died, or whose lease ended as the clock was set, is nobody's rival.
      if (other.service !== call.service || !other.process.alive || asked.era !== era || !alive.includes(asked.epoch))
        continue;
      throw new Violation(
        "breaker",
        `${call.process.name} and ${other.process.name} probe ${call.service} at the same time`,
      );
    }
    this.#probing.set(call, { epoch, era });
  }

  #pay({ process, service, kind }: Call): void {
    const mine = this.#places.get(process);
    const left = mine?.get(service) ?? 0;
    if (left < 1) throw new Violation("rate", `${process.name} calls ${service} (${kind}) without a place in its rate`);
    mine?.set(service, left - 1);
    this.#truths.counts.add("checked: rate");
  }
}
