import { InputError, invariant } from "./errors.ts";

/**
 * Ids: a bigint inside, typed text outside. `itm_` + 13 characters of Crockford base32 (no i, l, o, u), fixed width and
 * lower case, so that text order is numeric order and nobody can pass a request where an item belongs.
 */
const PREFIXES = { item: "itm", request: "req", worker: "wrk", question: "qst", operation: "opr" } as const;
const NAMES = {
  item: "an item",
  request: "a request",
  worker: "a worker",
  question: "a question",
  operation: "an operation",
} as const;

export type IdKind = keyof typeof PREFIXES;
export type Id<Kind extends IdKind> = string & { readonly __id: Kind };
export type ItemId = Id<"item">;
export type RequestId = Id<"request">;
export type WorkerId = Id<"worker">;
export type QuestionId = Id<"question">;
export type OperationId = Id<"operation">;

const KINDS = Object.keys(PREFIXES) as IdKind[]; // Object.keys forgets the key type of a constant
const WIDTH = 13;
const LOW_CHARACTERS = 7;
const LARGEST = (1n << 63n) - 1n;
const RADIX_32 = "0123456789abcdefghijklmnopqrstuv"; // what toString(32) and parseInt(…, 32) speak
const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";
const TO_CROCKFORD = new Map([...RADIX_32].map((digit, i) => [digit, CROCKFORD.charAt(i)]));
const FROM_CROCKFORD = new Map([
  ...[...CROCKFORD].map((digit, i): [string, string] => [digit, RADIX_32.charAt(i)]),
  // What people type when they read an id aloud.
  ["o", "0"],
  ["i", "1"],
  ["l", "1"],
]);

/** `n` comes from our own tables (pg gives bigints as decimal strings), so a bad one is a bug, not bad input. */
export function formatId<Kind extends IdKind>(kind: Kind, n: bigint | string): Id<Kind> {
  invariant(typeof n === "bigint" || /^\d{1,19}$/.test(n), `${NAMES[kind]} id must be a whole number, got "${n}"`);
  const number = BigInt(n);
  invariant(number >= 0n && number <= LARGEST, `${NAMES[kind]} id must lie in 0 … 2^63-1, got ${number}`);
  let text = "";
  for (const digit of number.toString(32).padStart(WIDTH, "0")) text += TO_CROCKFORD.get(digit);
  return `${PREFIXES[kind]}_${text}` as Id<Kind>; // the one place where the brand is given
}

/** The number as a decimal string, ready for a bigint parameter; throws `InputError` on `field` for anything else. */
export function parseId(kind: IdKind, text: string, field: string = `${kind}Id`): string {
  const wrong = (why: string) =>
    new InputError(field, `${field}: ${NAMES[kind]} id looks like ${formatId(kind, 1n)}, got ${why}`);
  if (typeof text !== "string") throw wrong(`a value of type ${typeof text}`);
  const got = quote(text);
  const [prefix = "", ...rest] = text.split("_");
  const kindOfText = KINDS.find((each) => PREFIXES[each] === asciiLower(prefix));
  if (kindOfText !== kind) {
    throw wrong(kindOfText !== undefined && rest.length > 0 ? `${got}, which is ${NAMES[kindOfText]}` : got);
  }
  const body = rest.join("_");
  if (body.length !== WIDTH) throw wrong(`${got}, with ${body.length} characters after the prefix, not ${WIDTH}`);
  let digits = "";
  for (const character of asciiLower(body)) {
    const digit = FROM_CROCKFORD.get(character);
    if (digit === undefined) throw wrong(`${got}, in which ${JSON.stringify(character)} cannot stand`);
    digits += digit;
  }
  // BigInt() reads no base 32; two halves fit a double exactly (30 and 35 bits).
  const high = BigInt(Number.parseInt(digits.slice(0, -LOW_CHARACTERS), 32));
  const low = BigInt(Number.parseInt(digits.slice(-LOW_CHARACTERS), 32));
  const number = (high << 35n) | low;
  if (number > LARGEST) throw wrong(`${got}, which is beyond the largest id`);
  return number.toString();
}

// toLowerCase() alone would let foreign letters in: U+212A (the Kelvin sign) becomes "k".
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
