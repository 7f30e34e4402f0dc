// What a program prints: lines as they come, and the last of it for people. Both bounded: programs print without end.

import { StringDecoder } from "node:string_decoder";

/** The last `limit` bytes of what was pushed. */
export class Tail {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    // Seldom, so that a program of small writes does not have everything copied each time.
    if (this.#bytes > 2 * this.#limit + 65_536) this.#cut();
  }

  text(): string {
    this.#cut();
    return Buffer.concat(this.#chunks).toString("utf8");
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks);
    const kept = all.subarray(Math.max(0, all.byteLength - this.#limit));
    // A copy: a view would keep everything it was cut from.
    this.#chunks = [Uint8Array.from(kept)];
    this.#bytes = kept.byteLength;
  }
}

const LONGEST_LINE = 8_192;

/** Calls `onLine` for every line, without its end. A carriage return ends one too: progress is written over itself. */
export class LineReader {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.write(Buffer.from(chunk))).split(/\r\n|\n|\r/);
    // What is longer than a line may be is cut, and the rest of it dropped.
    this.#rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
    for (const line of lines) this.#say(line);
  }

  end(): void {
    const last = this.#rest + this.#decoder.end();
    this.#rest = "";
    this.#say(last);
  }

  #say(line: string): void {
    // Also between the two halves of a line end that came in two pieces.
    if (line !== "") this.#onLine(line.slice(0, LONGEST_LINE));
  }
}
