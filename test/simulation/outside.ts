// The outside service that stages act on, with its own truth: what it was asked to do, under which key, and what it did.

import { Violation } from "./violation.ts";

interface Effect {
  readonly item: string;
  readonly stage: string;
  starts: number;
}

export class Outside {
  readonly #effects = new Map<string, Effect>();
  readonly #visits = new Map<string, number>();
  readonly #leases = new Map<string, number>();

  /** The right to visit once was handed out, by claim or by hand-off. */
  leased(item: string): void {
    this.#leases.set(item, (this.#leases.get(item) ?? 0) + 1);
  }

  leasesOf(item: string): number {
    return this.#leases.get(item) ?? 0;
  }

  /** A visit begins. Answers with how often this stage of the item was visited before. */
  visited(item: string, stage: string): number {
    const place = `${item}/${stage}`;
    const before = this.#visits.get(place) ?? 0;
    this.#visits.set(place, before + 1);
    let visits = 0;
    for (const [key, count] of this.#visits) if (key.startsWith(`${item}/`)) visits += count;
    const leases = this.leasesOf(item);
    if (visits > leases)
      throw new Violation("effects", `item ${item} was visited ${visits} times for ${leases} leases`);
    return before;
  }

  /** Asked to act. The same key again changes nothing here: that is what the key is for. */
  start(key: string, item: string, stage: string): void {
    const known = this.#effects.get(key);
    if (known !== undefined && (known.item !== item || known.stage !== stage)) {
      throw new Violation("effects", `two effects share a key: ${known.item} ${known.stage} and ${item} ${stage}`);
    }
    if (known === undefined) this.#effects.set(key, { item, stage, starts: 1 });
    else known.starts += 1;
  }

  /** How many different effects one stage of an item had. */
  effectsOf(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { item, stage } of this.#effects.values()) {
      const place = `${item}/${stage}`;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    return counts;
  }
}
