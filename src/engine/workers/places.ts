// How many more items this process may take. Who asks the database for some keeps as many places meanwhile: a claim and a
// submission that is to be handed over would else count on the same ones.

export class Places {
  readonly #most: number;
  readonly #inHand: () => number;
  #kept = 0;

  constructor(most: number, inHand: () => number) {
    this.#most = most;
    this.#inHand = inHand;
  }

  get free(): number {
    return Math.max(0, this.#most - this.#inHand() - this.#kept);
  }

  /** Returns how to give them back: when what was asked for is in hand. */
  keep(count: number): () => void {
    this.#kept += count;
    return () => {
      this.#kept -= count;
    };
  }

  /** Asks for as much as there is room for, and answers how much came; nobody is asked where there is none. */
  async fill(take: (room: number) => Promise<number>): Promise<number> {
    const room = this.free;
    if (room === 0) return 0;
    const giveBack = this.keep(room);
    try {
      return await take(room);
    } finally {
      giveBack();
    }
  }
}
