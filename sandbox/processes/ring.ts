// The last lines that something said.

export class Ring {
  readonly #most: number;
  readonly #lines: string[] = [];
  #rest = "";

  constructor(most = 200) {
    this.#most = most;
  }

  /** In whatever pieces it comes. */
  add(text: string): void {
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = (lines.pop() ?? "").slice(-10_000);
    this.#lines.push(...lines);
    this.#lines.splice(0, Math.max(0, this.#lines.length - this.#most));
  }

  lines(): readonly string[] {
    return this.#rest === "" ? [...this.#lines] : [...this.#lines, this.#rest];
  }
}
