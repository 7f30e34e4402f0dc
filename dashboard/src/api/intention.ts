// What a person means to do once is done once, however often it had to be sent: the same deed has the same Idempotency-Key until
// somebody said what came of it.

import { type Asked, Refusal } from "./ask.ts";

export interface Deed extends Omit<Asked, "signal" | "key" | "longestMs"> {
  readonly path: string;
}

export class Intention {
  #meant: { readonly what: string; readonly key: string } | undefined;

  keyOf({ path, method, body }: Deed): string {
    const what = JSON.stringify([path, method, body]);
    if (this.#meant?.what !== what) this.#meant = { what, key: randomKey() };
    return this.#meant.key;
  }

  /** Done or refused: pressed again, it is meant anew. */
  settle(error: Error | null): void {
    if (error === null || !isOpen(error)) this.#meant = undefined;
  }
}

/** It may have been done, or is being done: nobody told. */
function isOpen(error: Error): boolean {
  if (!(error instanceof Refusal)) return true;
  return error.status === 0 || error.status >= 500 || error.problem.code === "IN_PROGRESS";
}

/** `crypto.randomUUID` is only there over https and on localhost; a LAN has neither. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
