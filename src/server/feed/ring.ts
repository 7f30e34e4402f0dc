// The newest events in memory, so that whoever was away for a moment needs no query. Pure.
//
// It holds everything after `start` up to `head`, without a gap: that is what makes the hand-over from pages of the database safe.

import { compareCursors } from "../../engine/index.ts";
import type { Kept } from "./envelope.ts";

export class Ring {
  readonly #most: number;
  #events: Kept[] = [];
  #start: string;

  /** `start`: everything that comes is after this. */
  constructor(start: string, most: number) {
    this.#start = start;
    this.#most = most;
  }

  /** The last event's place. */
  get head(): string {
    return this.#events.at(-1)?.cursor ?? this.#start;
  }

  add(told: Kept): void {
    this.#events.push(told);
    // Half at once: moving the whole array for each would cost more than the events.
    if (this.#events.length < 2 * this.#most) return;
    const gone = this.#events.splice(0, this.#most);
    this.#start = gone.at(-1)?.cursor ?? this.#start;
  }

  /**
   * What came after this place; `older` where that is no longer all here, or of another feed, `beyond` where the place lies
   * after everything that is here.
   */
  after(cursor: string): readonly Kept[] | "older" | "beyond" {
    const sinceStart = compareCursors(cursor, this.#start);
    if (sinceStart === undefined || sinceStart < 0) return "older";
    if ((compareCursors(cursor, this.head) ?? 0) > 0) return "beyond";
    return this.#events.slice(this.#firstAfter(cursor));
  }

  #firstAfter(cursor: string): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const isAfter = (compareCursors(this.#events[middle]?.cursor ?? cursor, cursor) ?? 0) > 0;
      if (isAfter) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The later of two places of one feed; the first where they are of different ones. */
export function laterOf(a: string, b: string): string {
  return (compareCursors(a, b) ?? 0) < 0 ? b : a;
}
