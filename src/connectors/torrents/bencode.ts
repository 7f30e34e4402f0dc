// Reads bencode, strictly and within limits: what it reads comes from strangers. Every dictionary knows the bytes it was read from,
// because a torrent's name is the hash of those bytes, and encoding them again could change them.

export type Bencoded = number | Uint8Array | readonly Bencoded[] | BencodedDictionary;

export class BencodedDictionary {
  readonly entries: ReadonlyMap<string, Bencoded>;
  /** From its "d" to its "e". */
  readonly bytes: Uint8Array;

  constructor(entries: ReadonlyMap<string, Bencoded>, bytes: Uint8Array) {
    this.entries = entries;
    this.bytes = bytes;
  }
}

export class BencodeError extends Error {
  override readonly name = "BencodeError";
}

const DEEPEST = 64;
/** Ten megabytes of empty lists would otherwise be five million of them. */
const MOST_VALUES = 500_000;

const COLON = 0x3a;
const MINUS = 0x2d;
const [D, E, I, L] = [0x64, 0x65, 0x69, 0x6c];

/** The value that these bytes begin with, and where it ends: what peers say has more behind it. */
export function readBencodeStart(bytes: Uint8Array): { readonly value: Bencoded; readonly end: number } {
  const reader = new Reader(bytes);
  return { value: reader.value(0), end: reader.at };
}

/** The one value that these bytes are. */
export function readBencode(bytes: Uint8Array): Bencoded {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.byteLength)
    throw new BencodeError(`${bytes.byteLength - reader.at} bytes follow after its end`);
  return value;
}

class Reader {
  at = 0;
  #values = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  value(depth: number): Bencoded {
    if (depth > DEEPEST) throw this.#wrong(`is nested more than ${DEEPEST} deep`);
    this.#values += 1;
    if (this.#values > MOST_VALUES) throw this.#wrong(`holds more than ${MOST_VALUES} values`);
    switch (this.#bytes[this.at]) {
      case I:
        this.at += 1;
        return this.#number(E);
      case L:
        return this.#list(depth);
      case D:
        return this.#dictionary(depth);
      default:
        return this.#string();
    }
  }

  #list(depth: number): readonly Bencoded[] {
    const list: Bencoded[] = [];
    this.at += 1;
    while (this.#bytes[this.at] !== E) list.push(this.value(depth + 1));
    this.at += 1;
    return list;
  }

  #dictionary(depth: number): BencodedDictionary {
    const start = this.at;
    const entries = new Map<string, Bencoded>();
    this.at += 1;
    while (this.#bytes[this.at] !== E) {
      const key = Buffer.from(this.#string()).toString("latin1");
      // Of two, one program would take the first and another the last: they would disagree on what this torrent is.
      if (entries.has(key)) throw this.#wrong("names the same key twice");
      entries.set(key, this.value(depth + 1));
    }
    this.at += 1;
    return new BencodedDictionary(entries, this.#bytes.subarray(start, this.at));
  }

  #string(): Uint8Array {
    const length = this.#number(COLON);
    const end = this.at + length;
    if (length < 0) throw this.#wrong("has a text of negative length");
    if (end > this.#bytes.byteLength) throw this.#wrong(`is cut off: a text of ${length} bytes goes beyond its end`);
    const text = this.#bytes.subarray(this.at, end);
    this.at = end;
    return text;
  }

  /** Digits up to this byte, which is passed over. */
  #number(until: number): number {
    const start = this.at;
    const sign = this.#bytes[start] === MINUS ? -1 : 1;
    if (sign < 0) this.at += 1;
    const first = this.at;
    let value = 0;
    for (let byte = this.#bytes[this.at]; byte !== until; byte = this.#bytes[this.at]) {
      if (byte === undefined) throw this.#wrong("is cut off");
      if (byte < 0x30 || byte > 0x39) throw this.#wrong("has something else where a number belongs");
      value = value * 10 + byte - 0x30;
      if (value > Number.MAX_SAFE_INTEGER) throw this.#wrong("has a number that is too large");
      this.at += 1;
    }
    const isZeroed = this.#bytes[first] === 0x30 && (this.at - first > 1 || sign < 0);
    if (this.at === first || isZeroed) throw this.#wrong("has a number that is written wrongly");
    this.at += 1;
    return sign * value;
  }

  #wrong(what: string): BencodeError {
    return new BencodeError(`it ${what} (at byte ${this.at})`);
  }
}
