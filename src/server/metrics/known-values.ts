// Label values that come from data: error codes, names of services. Everything beyond the first so many is "other", because each
// value is a series for ever in whoever scrapes.

export class KnownValues {
  readonly #most: number;
  readonly #known = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  of(value: string): string {
    const short = value.slice(0, LONGEST);
    if (this.#known.has(short)) return short;
    if (this.#known.size >= this.#most) return "other";
    this.#known.add(short);
    return short;
  }
}

const LONGEST = 100;
