// IP addresses as bytes, and blocks of them. Compared as numbers, because one address has many spellings.

import { isIP } from "node:net";
import { invariant } from "../../kit/index.ts";

export interface Block {
  readonly bytes: readonly number[];
  readonly bits: number;
}

/** Four or sixteen bytes; undefined for anything that is not an address. A zone (`fe80::1%eth0`) is left out. */
export function addressBytes(text: string): readonly number[] | undefined {
  const address = text.split("%", 1)[0] ?? "";
  switch (isIP(address)) {
    case 4:
      return address.split(".").map(Number);
    case 6:
      return sixteenBytes(address);
    default:
      return undefined;
  }
}

function sixteenBytes(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const before = groups(head);
  if (tail === undefined) return before;
  const after = groups(tail);
  return [...before, ...new Array<number>(16 - before.length - after.length).fill(0), ...after];
}

function groups(part: string): number[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => {
    // The last four bytes may be written as an IPv4 address.
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** From a constant such as "10.0.0.0/8". */
export function block(cidr: string): Block {
  const [address = "", bits] = cidr.split("/");
  const bytes = addressBytes(address);
  invariant(bytes !== undefined && bits !== undefined, `"${cidr}" is no block of addresses`);
  return { bytes, bits: Number(bits) };
}

export function isInside({ bytes, bits }: Block, address: readonly number[]): boolean {
  if (address.length !== bytes.length) return false;
  return bytes.every((byte, place) => {
    const counted = Math.min(8, Math.max(0, bits - place * 8));
    const mask = (0xff << (8 - counted)) & 0xff;
    return (byte & mask) === ((address[place] ?? 0) & mask);
  });
}

/** The IPv4 address that an IPv6 one carries in its last four bytes. */
export function embeddedIPv4(address: readonly number[]): readonly number[] {
  return address.slice(12);
}
