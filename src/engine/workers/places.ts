// How many more items this process may take. Who asks the database for some keeps as many places meanwhile: a claim and a
// submission that is to be handed over would else count on the same ones. What others were promised that they may hand over is left
// aside for them, but not while more is ready than there is room for: then claims have all.

export class Places {
  readonly #most: number;
  readonly #inHand: () => number;
  #kept = 0;
  #promised = 0;
  #isPressed = false;

  constructor(most: number, inHand: () => number) {
    this.#most = most;
    this.#inHand = inHand;
  }

  get free(): number {
    return Math.max(0, this.#unkept - this.#promised);
  }

  /** For what was promised: also while a claim has asked for all the rest. */
  get freeForPromised(): number {
    return Math.max(0, this.#unkept);
  }

  get #unkept(): number {
    return this.#most - this.#inHand() - this.#kept;
  }

  /** Leaves aside half of the room there is, `most` at most, and answers how many places; of what was promised before only what is left. */
  promise(most: number): number {
    const room = this.freeForPromised;
    const half = Math.min(most, Math.floor(room / 2));
    this.#promised = this.#isPressed ? 0 : Math.max(half, Math.min(this.#promised, most, room));
    return this.#promised;
  }

  /** So many have come. */
  fulfil(count: number): void {
    this.#promised = Math.max(0, this.#promised - count);
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
      const taken = await take(room);
      this.#isPressed = taken >= room;
      return taken;
    } finally {
      giveBack();
    }
  }
}
