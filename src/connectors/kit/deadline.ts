// One time limit at a time that can be moved or taken away.

import type { Clock } from "../../kit/index.ts";

export class Deadline {
  readonly #clock: Clock;
  #armed: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `due` after so long, unless it is armed anew or disarmed before. */
  arm(ms: number, due: () => void): void {
    this.disarm();
    const armed = new AbortController();
    this.#armed = armed;
    void this.#clock.sleep(ms, armed.signal).then(() => {
      if (!armed.signal.aborted) due();
    });
  }

  disarm(): void {
    // With a reason of our own: an abort without one makes an exception with a stack, and this happens per chunk.
    this.#armed?.abort("disarmed");
    this.#armed = undefined;
  }
}
