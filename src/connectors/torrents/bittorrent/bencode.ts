// The notation of torrents, trackers and peers' extensions: written, and taken apart. Reading it is `../bencode.ts`.

import { type Bencoded, BencodedDictionary, readBencode, readBencodeStart } from "../bencode.ts";

/** Keys as they are on the wire, byte by byte (latin1). */
export type BencodedMap = BencodedDictionary["entries"];

/** The dictionary that a message begins with, and what is behind it; undefined where it begins with something else. */
export function readMessage(bytes: Buffer): { readonly map: BencodedMap; readonly rest: Buffer } | undefined {
  const { value, end } = readBencodeStart(bytes);
  return value instanceof BencodedDictionary ? { map: value.entries, rest: bytes.subarray(end) } : undefined;
}

export function readMap(bytes: Uint8Array): BencodedMap | undefined {
  return asMap(readBencode(bytes));
}

export type Encodable = number | string | Uint8Array | readonly Encodable[] | { readonly [key: string]: Encodable };

export function encode(value: Encodable): Buffer {
  const parts: Uint8Array[] = [];
  write(value, parts);
  return Buffer.concat(parts);
}

function write(value: Encodable, parts: Uint8Array[]): void {
  if (typeof value === "number") parts.push(Buffer.from(`i${value}e`));
  else if (typeof value === "string") parts.push(Buffer.from(`${Buffer.byteLength(value)}:${value}`));
  else if (value instanceof Uint8Array) parts.push(Buffer.from(`${value.byteLength}:`), value);
  else if (isList(value)) {
    parts.push(Buffer.from("l"));
    for (const one of value) write(one, parts);
    parts.push(Buffer.from("e"));
  } else {
    parts.push(Buffer.from("d"));
    for (const [key, one] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
      write(key, parts);
      write(one, parts);
    }
    parts.push(Buffer.from("e"));
  }
}

function isList(value: Encodable): value is readonly Encodable[] {
  return Array.isArray(value);
}

export const asBytes = (value: Bencoded | undefined): Buffer | undefined =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : undefined;
export const asText = (value: Bencoded | undefined): string | undefined => asBytes(value)?.toString("utf8");
export const asNumber = (value: Bencoded | undefined): number | undefined =>
  typeof value === "number" ? value : undefined;
export const asMap = (value: Bencoded | undefined): BencodedMap | undefined =>
  value instanceof BencodedDictionary ? value.entries : undefined;
export const asList = (value: Bencoded | undefined): readonly Bencoded[] | undefined =>
  Array.isArray(value) ? (value as readonly Bencoded[]) : undefined; // isArray forgets what the list is of
