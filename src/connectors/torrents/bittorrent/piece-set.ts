// Which pieces somebody has: a bit for each, in the order and form of the wire.

export class PieceSet {
  readonly size: number;
  readonly #bits: Buffer;
  #count = 0;

  constructor(size: number) {
    this.size = size;
    this.#bits = Buffer.alloc(Math.ceil(size / 8));
  }

  /** Undefined where it is not of so many pieces, or claims more than there are. */
  static from(bytes: Uint8Array, size: number): PieceSet | undefined {
    const set = new PieceSet(size);
    if (bytes.byteLength !== set.#bits.length) return undefined;
    set.#bits.set(bytes);
    for (let piece = 0; piece < set.#bits.length * 8; piece += 1) {
      if (!bit(set.#bits, piece)) continue;
      if (piece >= size) return undefined;
      set.#count += 1;
    }
    return set;
  }

  get count(): number {
    return this.#count;
  }

  get isWhole(): boolean {
    return this.#count === this.size;
  }

  has(piece: number): boolean {
    return piece >= 0 && piece < this.size && bit(this.#bits, piece);
  }

  add(piece: number): void {
    if (piece < 0 || piece >= this.size || this.has(piece)) return;
    this.#bits[piece >> 3] = (this.#bits[piece >> 3] ?? 0) | (0x80 >> (piece & 7));
    this.#count += 1;
  }

  delete(piece: number): void {
    if (!this.has(piece)) return;
    this.#bits[piece >> 3] = (this.#bits[piece >> 3] ?? 0) & ~(0x80 >> (piece & 7));
    this.#count -= 1;
  }

  toBytes(): Buffer {
    return Buffer.from(this.#bits);
  }
}

function bit(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0;
}
