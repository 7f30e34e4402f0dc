// Passwords that people choose: long enough, not among the first that everybody tries, and stored so that guessing is slow.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { InputError } from "../../engine/index.ts";
import { HashLine } from "./hash-line.ts";

const SHORTEST = 12;
const LONGEST_BYTES = 1_024;
/** 2^15 blocks of 8 take 32 MB and about 80 ms. */
const COST = { log: 15, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MEMORY_MOST = 256 * 1024 * 1024;
/** Of this process: two leave the other threads to the rest, and the last of forty in line waits for less than two seconds. */
const line = new HashLine(2, 40);

/** Twelve letters and more that are on every list of the most common. */
const COMMON: ReadonlySet<string> = new Set([
  "123456789012",
  "1234567890123",
  "12345678901234",
  "123456789012345",
  "1234567890123456",
  "administrator",
  "adminadminadmin",
  "changemechangeme",
  "passwordpassword",
  "password1234",
  "password12345",
  "password123456",
  "qwertyuiop12",
  "qwertyuiop123",
  "qwertyuiopasdfghjkl",
  "letmeinletmein",
  "iloveyouiloveyou",
  "sluicesluice",
]);

export function checkPassword(text: string, name: string): void {
  const refuse = (why: string) => new InputError("password", `password: ${why}`);
  if ([...text].length < SHORTEST) throw refuse(`at least ${SHORTEST} characters; a few words in a row are a good one`);
  if (Buffer.byteLength(text) > LONGEST_BYTES) throw refuse(`at most ${LONGEST_BYTES} bytes`);
  const plain = text.toLowerCase();
  if (COMMON.has(plain)) throw refuse("this one is among the first that everybody tries");
  if (new Set(plain).size < 4) throw refuse("it needs more than three different characters");
  if (name.length >= 3 && plain.replaceAll(name.toLowerCase(), "").length < 4)
    throw refuse("it is little more than the name");
}

export async function hashPassword(text: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(text, salt, COST);
  return ["scrypt", COST.log, COST.r, COST.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** With nothing stored it takes as long and is wrong: who has no account must not show by the time an answer takes. */
export async function isPassword(text: string, stored: string | null): Promise<boolean> {
  const [kind, log, r, p, salt = "", hash = ""] = (stored ?? (await nobodys)).split("$");
  if (kind !== "scrypt" || Buffer.byteLength(text) > LONGEST_BYTES) return false;
  const expected = Buffer.from(hash, "base64url");
  const cost = { log: Number(log), r: Number(r), p: Number(p) };
  const derived = await derive(text, Buffer.from(salt, "base64url"), cost);
  return derived.length === expected.length && timingSafeEqual(derived, expected) && stored !== null;
}

const nobodys = hashPassword(randomBytes(SALT_BYTES).toString("hex"));

interface Cost {
  readonly log: number;
  readonly r: number;
  readonly p: number;
}

function derive(text: string, salt: Buffer, { log, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log, r, p, maxmem: MEMORY_MOST };
  const scrypted = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(text.normalize("NFC"), salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
    });
  return line.run(scrypted);
}
