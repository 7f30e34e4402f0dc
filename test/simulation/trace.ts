// What happened, a line a step, and its fingerprint: two runs are the same when their fingerprints are.

import { createHash } from "node:crypto";

export class Trace {
  readonly #hash = createHash("sha256");
  readonly lines: string[] = [];

  step(line: string): void {
    this.#hash.update(`${line}\n`);
    this.lines.push(line);
  }

  /** Beside the steps: what a process logged, what a user was told. */
  note(line: string): void {
    this.#hash.update(`${line}\n`);
    this.lines.push(`        ${line}`);
  }

  fingerprint(): string {
    return this.#hash.copy().digest("hex").slice(0, 16);
  }
}
