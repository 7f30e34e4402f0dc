// When nobody was there: the times in which no worker was up, and the worker that was to be next was still starting.

import type { Span } from "./evidence.ts";

export class Attendance {
  readonly #spans: Span[] = [];
  #since: number | undefined;

  /** How many are up from now on. */
  note(up: number, now: number): void {
    if (up === 0) this.#since ??= now;
    else if (this.#since !== undefined) {
      this.#spans.push({ from: this.#since, to: now });
      this.#since = undefined;
    }
  }

  /** Until now. */
  absences(): readonly Span[] {
    return this.#spans;
  }
}
