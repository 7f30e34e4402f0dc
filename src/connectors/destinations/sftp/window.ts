// Several questions under way at a time, answered in whatever order; how far everything before is answered.

export class Window {
  readonly #most: number;
  readonly #flight = new Map<number, Promise<void>>();
  #failed: { readonly error: unknown } | undefined;
  #next: number;

  constructor(from: number, most: number) {
    this.#next = from;
    this.#most = most;
  }

  /** Everything before is there for certain. */
  get sure(): number {
    return Math.min(this.#next, ...this.#flight.keys());
  }

  /** Begins when there is room. Rejects with what went wrong in any that began before. */
  async begin(at: number, length: number, work: () => Promise<void>, onSure: (bytes: number) => void): Promise<void> {
    if (this.#flight.size >= this.#most) await Promise.race(this.#flight.values());
    this.#check();
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
