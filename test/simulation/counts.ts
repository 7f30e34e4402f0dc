// What a run saw: how often each invariant had something to check, each fault struck, and each rare thing happened.

export class Counts {
  readonly #by = new Map<string, number>();

  add(name: string, times = 1): void {
    this.#by.set(name, (this.#by.get(name) ?? 0) + times);
  }

  of(name: string): number {
    return this.#by.get(name) ?? 0;
  }

  merge(other: Iterable<readonly [string, number]>): void {
    for (const [name, times] of other) this.add(name, times);
  }

  entries(): [string, number][] {
    return [...this.#by].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
