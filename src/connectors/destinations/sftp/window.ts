// Several questions under way at a time, answered in whatever order; how far everything before is answered. Nothing is begun further
// than a window's length ahead of that.

export class Window {
  readonly #bytes: number;
  readonly #flight = new Map<number, Promise<void>>();
  #failed: { readonly error: unknown } | undefined;
  #next: number;

  constructor(from: number, bytes: number) {
    this.#next = from;
    this.#bytes = bytes;
  }

  /** Everything before is there for certain. */
  get sure(): number {
    return Math.min(this.#next, ...this.#flight.keys());
  }

  /** Resolves when everything up to there fits. Rejects with what went wrong in any that began before. */
  async room(end: number): Promise<void> {
    for (; end - this.sure > this.#bytes && this.#flight.size > 0; ) await Promise.race(this.#flight.values());
    this.#check();
  }

  begin(at: number, length: number, work: () => Promise<void>, onSure: (bytes: number) => void): void {
    this.#next = at + length;
    const ended = work().then(
      () => {
        this.#flight.delete(at);
        onSure(this.sure);
      },
      (error: unknown) => {
        this.#flight.delete(at);
        this.#failed ??= { error };
      },
    );
    this.#flight.set(at, ended);
  }

  async end(): Promise<void> {
    await Promise.all(this.#flight.values());
    this.#check();
  }

  #check(): void {
    if (this.#failed !== undefined) throw this.#failed.error;
  }
}
