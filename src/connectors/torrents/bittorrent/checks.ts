// What lies on the disk of each torrent is looked at one after the other: two at once would only make the disk's head run.

import type { Phase } from "./view.ts";

export interface Checked {
  readonly phase: Phase;
  check(): Promise<void>;
}

const waits = ({ phase }: Checked): boolean => phase === "unchecked" || phase === "doubted";

export class Checks {
  readonly #all: () => Iterable<Checked>;
  #running: Promise<void> | undefined;
  #isOver = false;

  constructor(all: () => Iterable<Checked>) {
    this.#all = all;
  }

  tick(): void {
    const waiting = [...this.#all()].filter(waits);
    if (this.#running !== undefined || waiting.length === 0) return;
    this.#running = this.#check(waiting).finally(() => {
      this.#running = undefined;
    });
  }

  /** Without a pause between them: after a start there may be thousands. */
  async #check(waiting: readonly Checked[]): Promise<void> {
    for (const one of waiting) if (!this.#isOver && waits(one)) await one.check();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }
}
