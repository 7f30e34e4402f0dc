// What is in this process's hands, by item. An entry is only the newest life of an item here: one that was lost and
// claimed again is another entry.

import type { Held } from "./held.ts";

export class Hands {
  readonly #held = new Map<string, Held>();
  readonly #whenEmpty: (() => void)[] = [];

  get size(): number {
    return this.#held.size;
  }

  take(held: Held): void {
    const former = this.#held.get(held.row.id);
    if (former !== undefined) former.isInHand = false;
    this.#held.set(held.row.id, held);
    held.isInHand = true;
  }

  /** Asked several times in a visit, so it is not looked up. */
  has(held: Held): boolean {
    return held.isInHand;
  }

  hasItem(id: string): boolean {
    return this.#held.has(id);
  }

  of(id: string): Held | undefined {
    return this.#held.get(id);
  }

  all(): Held[] {
    return [...this.#held.values()];
  }

  /** False when it was not in hand any more. */
  drop(held: Held): boolean {
    if (!held.isInHand) return false;
    held.isInHand = false;
    this.#held.delete(held.row.id);
    if (this.#held.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
    return true;
  }

  async empty(): Promise<void> {
    if (this.#held.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }
}
