// All services of one simulated world, and what is checked of them.

import { CallChecks, type CallTruths } from "./call-checks.ts";
import { type Job, JobsService, type ServiceFaults } from "./jobs-service.ts";
import { StartChecks } from "./start-checks.ts";

export class OutsideServices {
  readonly starts: StartChecks;
  readonly calls: CallChecks;
  readonly #seed: number;
  readonly #now: () => number;
  readonly #services = new Map<string, JobsService>();

  readonly #faults: ServiceFaults | undefined;
  #isHealed = false;

  constructor(seed: number, truths: CallTruths, now: () => number, faults?: ServiceFaults) {
    this.#faults = faults;
    this.#seed = seed;
    this.#now = now;
    this.starts = new StartChecks(truths.counts, now);
    this.calls = new CallChecks(truths);
  }

  of(name: string): JobsService {
    const known = this.#services.get(name) ?? new JobsService(this.#seed, name, this.#now, this.#faults);
    this.#services.set(name, known);
    known.isHealed = this.#isHealed;
    return known;
  }

  /** From here on they are well and say what they know. */
  heal(): void {
    this.#isHealed = true;
    for (const service of this.#services.values()) service.isHealed = true;
  }

  /** What goes on outside, whoever knows of it. */
  alive(): Job[] {
    return [...this.#services.values()].flatMap((service) => service.alive());
  }
}
