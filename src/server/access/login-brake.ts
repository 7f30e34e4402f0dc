// Guessing passwords gets slow: after a few wrong ones for an account, or from an address, each further one has to wait longer.
// In this process's memory: with several servers an attacker gets as many tries more, and nobody is locked out by a table.

export interface Tries {
  readonly wrong: number;
  /** Of the last wrong one. */
  readonly at: number;
}

/** So many wrong ones cost nothing: people mistype. */
const FREE = 5;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 15 * 60_000;
/** After so long without a wrong one all is forgotten. */
const FORGET_MS = 60 * 60_000;
/** Addresses are cheap to come by: the oldest is forgotten first. */
const REMEMBERED_MOST = 10_000;

/** How long from now until another try is looked at; 0 is now. Pure. */
export function waitFor(tries: Tries | undefined, now: number): number {
  if (tries === undefined || tries.wrong < FREE || now - tries.at > FORGET_MS) return 0;
  const pause = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (tries.wrong - FREE));
  return Math.max(0, tries.at + pause - now);
}

export class LoginBrake {
  readonly #now: () => number;
  readonly #tries = new Map<string, Tries>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until any of them may try again. */
  wait(...of: readonly string[]): number {
    return Math.max(...of.map((one) => waitFor(this.#tries.get(one), this.#now())));
  }

  wrong(...of: readonly string[]): void {
    const at = this.#now();
    for (const one of of) {
      const before = this.#tries.get(one);
      const isFresh = before === undefined || at - before.at > FORGET_MS;
      // Taken out first, so that the map stays in the order of the last wrong one.
      this.#tries.delete(one);
      this.#tries.set(one, { wrong: isFresh ? 1 : before.wrong + 1, at });
    }
    for (const [oldest] of this.#tries) {
      if (this.#tries.size <= REMEMBERED_MOST) break;
      this.#tries.delete(oldest);
    }
  }

  /** The account is its owner's, and all is forgiven. From the address others may still guess: only this try was none. */
  right(account: string, address: string): void {
    this.#tries.delete(account);
    const tries = this.#tries.get(address);
    if (tries === undefined) return;
    if (tries.wrong <= 1) this.#tries.delete(address);
    else this.#tries.set(address, { ...tries, wrong: tries.wrong - 1 });
  }
}
