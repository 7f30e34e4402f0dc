// Who was visited where, counted in the handlers themselves: an item that was lost or came twice fails the run.

import type { Opened } from "./contender.ts";
import type { Payload } from "./payload.ts";

export class Visits {
  /** Resolves when every item was visited at every stage, the last of them just now. */
  readonly complete: Promise<void>;
  readonly #seen: Uint8Array;
  readonly #stages: number;
  #missing: number;
  #onFirst: (() => void) | undefined;
  #resolve: () => void = () => {};

  /** `onFirst` is called when the first visit is made. */
  constructor(items: number, stages: number, onFirst?: () => void) {
    this.#onFirst = onFirst;
    this.#stages = stages;
    this.#seen = new Uint8Array(items * stages);
    this.#missing = items * stages;
    this.complete = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  readonly visit = ({ index }: Payload, stage: number): void => {
    this.#onFirst?.();
    this.#onFirst = undefined;
    const place = index * this.#stages + stage;
    const times = this.#seen[place];
    if (times === undefined || stage >= this.#stages)
      throw new Error(`item ${index} was seen at stage ${stage}, which was never handed in`);
    this.#seen[place] = times + 1;
    if (times === 0) this.#missing -= 1;
    if (this.#missing === 0) this.#resolve();
  };

  /** What is wrong, in words; empty when every item was visited once at every stage and the store says so too. */
  async faults(opened: Opened, isBare = false): Promise<string[]> {
    const repeated = this.#seen.filter((times) => times > 1).length;
    const finished = await opened.countFinished();
    const faults: string[] = [];
    if (!isBare && this.#missing > 0) faults.push(`${this.#missing} visits are missing`);
    if (repeated > 0) faults.push(`${repeated} visits came twice`);
    if (!(await opened.isEmpty())) faults.push("something is unfinished in the store");
    if (finished !== undefined && finished !== this.#seen.length)
      faults.push(`the store shows ${finished} finished stages instead of ${this.#seen.length}`);
    return faults;
  }
}
