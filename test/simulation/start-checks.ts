// Effects outside: nothing is started that was not written down before, nothing more often than somebody was given the
// right to, and nothing again by somebody who could have asked.

import type { Counts } from "./counts.ts";
import type { JobsService } from "./jobs-service.ts";
import type { Party } from "./scheduler.ts";
import { Violation } from "./violation.ts";

interface Intended {
  times: number;
  /** When each party last wrote it down, and whether it has asked since. */
  readonly by: Map<Party, { at: number; hasAsked: boolean }>;
}

export class StartChecks {
  readonly #counts: Counts;
  readonly #now: () => number;
  readonly #intended = new Map<string, Intended>();
  readonly #started = new Map<string, { item: string; times: number }>();

  constructor(counts: Counts, now: () => number) {
    this.#counts = counts;
    this.#now = now;
  }

  /** A start visit was claimed, and what it is about to start written down. */
  intended(party: Party, key: string): void {
    const known = this.#intended.get(key) ?? { times: 0, by: new Map() };
    known.times += 1;
    known.by.set(party, { at: this.#now(), hasAsked: false });
    this.#intended.set(key, known);
  }

  /** It was asked at the service whether there is something under this key. */
  asked(party: Party | undefined, key: string): void {
    const own = party === undefined ? undefined : this.#intended.get(key)?.by.get(party);
    if (own !== undefined) own.hasAsked = true;
  }

  /** A start has reached the service. */
  arrived(service: JobsService, party: Party | undefined, key: string, item: string): void {
    const intended = this.#intended.get(key);
    const own = party === undefined ? undefined : intended?.by.get(party);
    if (intended === undefined || own === undefined)
      throw new Violation("effects", `${service.name} was asked to start ${item} under a key that nobody wrote down`);
    const started = this.#started.get(key) ?? { item, times: 0 };
    started.times += 1;
    this.#started.set(key, started);
    this.#counts.add("checked: starts");
    if (started.item !== item)
      throw new Violation("effects", `items ${started.item} and ${item} share a key at ${service.name}`);
    if (started.times > intended.times)
      throw new Violation("effects", `${item} was started ${started.times} times for ${intended.times} claims`);
    const before = service.underKey(key).filter((job) => job.createdAt < own.at);
    if (before.length > 0 && !own.hasAsked)
      throw new Violation(
        "effects",
        `${item} is started at ${service.name} by somebody who did not ask for ${before[0]?.ref}`,
      );
    if (before.length > 0) this.#counts.add("checked: asked before starting again");
    if (service.underKey(key).some((job) => !job.isGone)) this.#counts.add("outside: started twice in a race");
  }
}
