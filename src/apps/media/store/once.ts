// What is kept for a while is fetched by one alone: whoever asks for the same meanwhile gets what that one gets.

export interface Fetching<T> {
  /** What is kept and still fresh. */
  read(): Promise<T | undefined>;
  ask(): Promise<T>;
  keep(value: T): Promise<void>;
}

/** Within this process; two processes that ask the same at once do no harm. */
export class Once {
  readonly #underWay = new Map<string, Promise<unknown>>();

  async get<T>(key: string, fetching: Fetching<T>): Promise<T> {
    const underWay = this.#underWay.get(key) as Promise<T> | undefined; // by this key nothing else is fetched
    if (underWay === undefined) return await this.#lead(key, fetching);
    try {
      return await underWay;
    } catch {
      // Whoever led was stopped, or met a fault: that is theirs, and nobody else's.
      return await fetched(fetching);
    }
  }

  async #lead<T>(key: string, fetching: Fetching<T>): Promise<T> {
    const leading = fetched(fetching);
    this.#underWay.set(key, leading);
    try {
      return await leading;
    } finally {
      this.#underWay.delete(key);
    }
  }
}

async function fetched<T>({ read, ask, keep }: Fetching<T>): Promise<T> {
  const kept = await read();
  if (kept !== undefined) return kept;
  const value = await ask();
  await keep(value);
  return value;
}
