// What a visit's code notes about itself. Bounded in lines and bytes; the newest are kept, because what went wrong is at the
// end. Noting never throws: a line that cannot be stored is no reason to fail the work it is about.

import { checkJson, type Logger, redactJson, safeText } from "../../kit/index.ts";

export const LINES_MOST = 200;
export const LOG_BYTES = 64 * 1024;
const TEXT_BYTES = 2_000;
const FACTS_BYTES = 8_000;

export type LogLevel = keyof Logger;

/** As it travels from a child, and as it is stored. */
export interface LogLines {
  /** Each a JSON object. */
  readonly lines: readonly string[];
  readonly dropped: number;
}

export class VisitLog implements LogLines {
  readonly #lines: string[];
  #bytes = 0;
  #dropped: number;

  constructor(from: LogLines = { lines: [], dropped: 0 }) {
    this.#lines = [...from.lines];
    this.#dropped = from.dropped;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** How many older ones made room. */
  get dropped(): number {
    return this.#dropped;
  }

  add(ms: number, level: LogLevel, text: unknown, facts: unknown): void {
    const line = JSON.stringify({ ms, level, text: safeText(text, TEXT_BYTES), ...storable(facts) });
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
