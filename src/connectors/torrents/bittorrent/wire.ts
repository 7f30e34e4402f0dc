// What peers say to each other (BEP 3, 10): bytes → messages and back. Pure. A peer is a stranger: nothing is longer than it may be.

export type Message =
  | { readonly type: "handshake"; readonly infohash: string; readonly peerId: string; readonly isExtended: boolean }
  | { readonly type: "choke" | "unchoke" | "interested" | "uninterested" | "keep-alive" | "unknown" }
  | { readonly type: "have"; readonly piece: number }
  | { readonly type: "bitfield"; readonly bits: Buffer }
  | { readonly type: "request" | "cancel"; readonly piece: number; readonly offset: number; readonly length: number }
  | { readonly type: "piece"; readonly piece: number; readonly offset: number; readonly data: Buffer }
  | { readonly type: "extended"; readonly id: number; readonly data: Buffer };

export class WireError extends Error {
  override readonly name = "WireError";
}

export const BLOCK_BYTES = 16 * 1024;
/** A bitfield of a million pieces, or a block with what stands around it. */
const LONGEST_MESSAGE = 256 * 1024;
const PROTOCOL = "\x13BitTorrent protocol";
const HANDSHAKE_BYTES = 68;

export class WireReader {
  #held: Buffer = Buffer.alloc(0);
  #greeted = false;

  push(chunk: Uint8Array): Message[] {
    this.#held = this.#held.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#held, chunk]);
    const found: Message[] = [];
    for (let message = this.#next(); message !== undefined; message = this.#next()) found.push(message);
    return found;
  }

  #next(): Message | undefined {
    if (!this.#greeted) return this.#greeting();
    if (this.#held.length < 4) return undefined;
    const length = this.#held.readUInt32BE(0);
    if (length > LONGEST_MESSAGE) throw new WireError(`a message of ${length} bytes`);
    if (this.#held.length < 4 + length) return undefined;
    const body = this.#held.subarray(4, 4 + length);
    this.#held = this.#held.subarray(4 + length);
    return length === 0 ? { type: "keep-alive" } : readMessage(body);
  }

  #greeting(): Message | undefined {
    const known = Math.min(this.#held.length, PROTOCOL.length);
    if (this.#held.toString("latin1", 0, known) !== PROTOCOL.slice(0, known)) throw new WireError("no BitTorrent");
    if (this.#held.length < HANDSHAKE_BYTES) return undefined;
    const bytes = this.#held.subarray(0, HANDSHAKE_BYTES);
    this.#held = this.#held.subarray(HANDSHAKE_BYTES);
    this.#greeted = true;
    return {
      type: "handshake",
      infohash: bytes.toString("hex", 28, 48),
      peerId: bytes.toString("hex", 48, 68),
      isExtended: ((bytes[25] ?? 0) & 0x10) !== 0,
    };
  }
}

const BARE = ["choke", "unchoke", "interested", "uninterested"] as const;

function readMessage(body: Buffer): Message {
  const id = body[0] ?? 0;
  const bare = BARE[id];
  if (bare !== undefined) return { type: bare };
  switch (id) {
    case 4:
      return { type: "have", piece: number(body, 1) };
    case 5:
      return { type: "bitfield", bits: Buffer.from(body.subarray(1)) };
    case 6:
    case 8: {
      const [piece, offset, length] = [number(body, 1), number(body, 5), number(body, 9)];
      return { type: id === 6 ? "request" : "cancel", piece, offset, length };
    }
    case 7:
      return { type: "piece", piece: number(body, 1), offset: number(body, 5), data: body.subarray(9) };
    case 20:
      return { type: "extended", id: body[1] ?? 0, data: body.subarray(2) };
    default:
      return { type: "unknown" };
  }
}

function number(body: Buffer, at: number): number {
  if (body.length < at + 4) throw new WireError("a message that is too short");
  return body.readUInt32BE(at);
}

export function handshake(infohash: string, peerId: Uint8Array): Buffer {
  const reserved = Buffer.alloc(8);
  reserved[5] = 0x10;
  return Buffer.concat([Buffer.from(PROTOCOL, "latin1"), reserved, Buffer.from(infohash, "hex"), peerId]);
}

const message = (id: number, numbers: readonly number[], data: Uint8Array = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(5 + numbers.length * 4);
  head.writeUInt32BE(1 + numbers.length * 4 + data.byteLength, 0);
  head[4] = id;
  for (const [index, value] of numbers.entries()) head.writeUInt32BE(value, 5 + index * 4);
  return data.byteLength === 0 ? head : Buffer.concat([head, data]);
};

export const write = {
  keepAlive: () => Buffer.alloc(4),
  choke: () => message(0, []),
  unchoke: () => message(1, []),
  interested: () => message(2, []),
  uninterested: () => message(3, []),
  have: (piece: number) => message(4, [piece]),
  bitfield: (bits: Uint8Array) => message(5, [], bits),
  request: (piece: number, offset: number, length: number) => message(6, [piece, offset, length]),
  piece: (piece: number, offset: number, data: Uint8Array) => message(7, [piece, offset], data),
  cancel: (piece: number, offset: number, length: number) => message(8, [piece, offset, length]),
  extended: (id: number, data: Uint8Array) => message(20, [], Buffer.concat([Buffer.from([id]), data])),
} as const;
