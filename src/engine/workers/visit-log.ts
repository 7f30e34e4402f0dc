// What a visit's code notes about itself. Bounded in lines and bytes; the newest are kept, because what went wrong is at the
// end. Noting never throws: a line that cannot be stored is no reason to fail the work it is about.

import { checkJson, type Logger, redactJson, safeText } from "../../kit/index.ts";

export const LINES_MOST = 200;
export const LOG_BYTES = 64 * 1024;
const TEXT_BYTES = 2_000;
const FACTS_BYTES = 8_000;

export type LogLevel = keyof Logger;

/** What was noted since somebody last looked: as it travels from a child, and as it is stored while the visit runs. */
export interface LogNews {
  /** Each a JSON object. */
  readonly lines: readonly string[];
  /** How many came and went in between. */
  readonly missed: number;
}

export class VisitLog {
  readonly #lines: string[] = [];
  #bytes = 0;
  #dropped = 0;
  /** How many of all its lines are known to be stored, or need not be any more. */
  written = 0;
  /** Some of it may be stored: whoever stores the whole has to take that away. */
  isBegun = false;
  /** Nothing of it is stored before that. */
  restsUntil = 0;

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** How many there were. A line's number is its place among them, which it keeps. */
  get count(): number {
    return this.#dropped + this.#lines.length;
  }

  /** How many older ones made room. */
  get dropped(): number {
    return this.#dropped;
  }

  add(ms: number, level: LogLevel, text: unknown, facts: unknown): void {
    this.#push(JSON.stringify({ ms, level, text: safeText(text, TEXT_BYTES), ...storable(facts) }));
  }

  /** What came after the first so many. */
  since(count: number): LogNews {
    const lines = this.#lines.slice(Math.max(0, count - this.#dropped));
    return { lines, missed: this.count - count - lines.length };
  }

  /** What another one noted, behind what is here: a visit that goes to a second child has said something in the first. */
  append({ lines, missed }: LogNews): void {
    // The other one kept the newest as well: where it let go of some, those before them have no place either.
    if (missed > 0) {
      this.#dropped += this.#lines.splice(0).length + missed;
      this.#bytes = 0;
    }
    for (const line of lines) this.#push(line);
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#bytes += Buffer.byteLength(line);
    while (this.#lines.length > LINES_MOST || this.#bytes > LOG_BYTES) {
      this.#bytes -= Buffer.byteLength(this.#lines.shift() ?? "");
      this.#dropped += 1;
    }
  }
}

/** Facts that are no JSON, or too large, are shown as text: cut, but there. */
function storable(facts: unknown): { facts?: unknown } {
  if (facts === undefined) return {};
  try {
    return { facts: redactJson(checkJson(facts, { field: "facts", maxBytes: FACTS_BYTES })) };
  } catch {
    return { facts: safeText(facts, TEXT_BYTES) };
  }
}
