// An abort signal that costs nothing until somebody asks for it. Most visits never look at theirs, and an AbortController
// with its listeners took longer than all the rest of a short visit.

export class Interrupt {
  /** Interrupted together with this one. */
  next: Interrupt | undefined;
  #controller: AbortController | undefined;
  #isAborted = false;
  #reason: unknown;

  get aborted(): boolean {
    return this.#isAborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason counts. */
  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.next?.abort(reason);
  }
}
