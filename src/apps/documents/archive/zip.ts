// Several files as one zip, written while it is read: nothing of it is ever whole in memory or on a disk. Entries are deflated, and
// tell their size and checksum after their bytes, as of a stream nobody knows them before.

import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw } from "node:zlib";

export interface ZipEntry {
  /** Safe and of no other entry. */
  readonly name: string;
  readonly at: Date;
  /** Asked for when its turn comes. */
  open(): AsyncIterable<Uint8Array>;
}

interface Written {
  readonly name: Buffer;
  readonly time: number;
  readonly date: number;
  readonly offset: number;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
}

/** Beyond this an archive would need a form of numbers that this one does not have. */
export const ZIP_BYTES_MOST = 2 ** 32 - 1;
export const ZIP_ENTRIES_MOST = 2 ** 16 - 1;
/** Sizes follow; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;

export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let offset = 0;
  for (const entry of entries) {
    const head = headOf(entry);
    const begun = offset;
    yield localHeader(head);
    offset += 30 + head.name.length;
    const sums = { crc: 0, bytes: 0, packed: 0 };
    for await (const chunk of packed(entry, sums)) {
      offset += chunk.byteLength;
      if (offset > ZIP_BYTES_MOST) throw new Error("an archive of more than 4 GB was asked for");
      yield chunk;
    }
    yield descriptor(sums);
    offset += 16;
    written.push({ ...head, offset: begun, ...sums });
  }
  let size = 0;
  for (const one of written) {
    const record = centralRecord(one);
    size += record.length;
    yield record;
  }
  yield ending(written.length, size, offset);
}

async function* packed(entry: ZipEntry, sums: { crc: number; bytes: number; packed: number }) {
  const deflate = createDeflateRaw();
  const out = new PassThrough();
  const counted = async function* () {
    for await (const chunk of entry.open()) {
      sums.crc = crc32(chunk, sums.crc);
      sums.bytes += chunk.byteLength;
      yield chunk;
    }
  };
  const packing = pipeline(counted, deflate, out);
  // Read to its end below, where its failure is thrown too.
  packing.catch(() => undefined);
  for await (const chunk of out as AsyncIterable<Uint8Array>) {
    sums.packed += chunk.byteLength;
    yield chunk;
  }
  await packing;
}

/** As DOS told the time, in UTC: two seconds are its smallest step. */
function headOf({ name, at }: ZipEntry) {
  const year = Math.min(127, Math.max(0, at.getUTCFullYear() - 1980));
  return {
    name: Buffer.from(name, "utf8"),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

type Head = ReturnType<typeof headOf>;

const numbers = (...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );

function localHeader({ name, time, date }: Head): Buffer {
  const fixed = numbers(
    ...([
      [4, 0x04034b50],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, time],
      [2, date],
    ] as const),
    ...([
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    ] as const),
  );
  return Buffer.concat([fixed, name]);
}

const descriptor = ({ crc, packed: size, bytes }: Pick<Written, "crc" | "packed" | "bytes">): Buffer =>
  numbers([4, 0x08074b50], [4, crc], [4, size], [4, bytes]);

function centralRecord({ name, time, date, offset, crc, packed: size, bytes }: Written): Buffer {
  const fixed = numbers(
    ...([
      [4, 0x02014b50],
      [2, VERSION],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, time],
      [2, date],
    ] as const),
    ...([
      [4, crc],
      [4, size],
      [4, bytes],
      [2, name.length],
      [2, 0],
      [2, 0],
    ] as const),
    ...([
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ] as const),
  );
  return Buffer.concat([fixed, name]);
}

const ending = (count: number, size: number, offset: number): Buffer =>
  numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
