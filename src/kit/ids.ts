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
/** Two characters for every ten bits: an id is written for every item that is handed in. */
const PAIRS = Array.from({ length: 1_024 }, (_, i) => CROCKFORD.charAt(i >> 5) + CROCKFORD.charAt(i & 31));
const LOW_BITS = 2 ** 30;
/** Of so many digits a number may not be exact any more. */
const EXACT_DIGITS = 16;
const FROM_CROCKFORD = new Map([
  ...[...CROCKFORD].map((digit, i): [string, string] => [digit, RADIX_32.charAt(i)]),
  // What people type when they read an id aloud.
  ["o", "0"],
  ["i", "1"],
  ["l", "1"],
]);

/** `n` comes from our own tables (pg gives bigints as decimal strings), so a bad one is a bug, not bad input. */
export function formatId<Kind extends IdKind>(kind: Kind, n: bigint | string): Id<Kind> {
  // What was wrong is only put into words where something is: it would be most of what an id costs.
  if (typeof n !== "bigint" && !/^\d{1,19}$/.test(n))
    invariant(false, `${NAMES[kind]} id must be a whole number, got "${n}"`);
  const isExact = typeof n === "string" && n.length < EXACT_DIGITS;
  const text = isExact ? inExact(kind, Number(n)) : `${PREFIXES[kind]}_${inFull(kind, BigInt(n))}`;
  return text as Id<Kind>; // the one place where the brand is given
}

/** Ids are written in a row, and a thousand neighbours differ in nothing but their last two characters. */
let neighbours: { readonly kind: IdKind; readonly above: number; readonly text: string } | undefined;

function inExact(kind: IdKind, number: number): string {
  const above = Math.floor(number / PAIRS.length);
  if (neighbours?.above !== above || neighbours.kind !== kind) {
    const text = crockford(Math.floor(number / LOW_BITS), number % LOW_BITS);
    neighbours = { kind, above, text: `${PREFIXES[kind]}_${text.slice(0, -2)}` };
  }
  return `${neighbours.text}${PAIRS[number % PAIRS.length]}`;
}

function inFull(kind: IdKind, number: bigint): string {
  if (number < 0n || number > LARGEST) invariant(false, `${NAMES[kind]} id must lie in 0 … 2^63-1, got ${number}`);
  return crockford(Number(number >> 30n), Number(BigInt.asUintN(30, number)));
}

/** Of the thirty bits that are lowest, and of those above. */
function crockford(rest: number, low: number): string {
  const high = Math.floor(rest / LOW_BITS);
  return `${CROCKFORD.charAt(high)}${sixOf(rest % LOW_BITS)}${sixOf(low)}`;
}

/** Thirty bits are six characters. */
function sixOf(bits: number): string {
  return `${PAIRS[bits >> 20]}${PAIRS[(bits >> 10) & 1_023]}${PAIRS[bits & 1_023]}`;
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
  const foreign = [...asciiLower(body)].find((character) => !FROM_CROCKFORD.has(character));
  if (foreign !== undefined) throw wrong(`${got}, in which ${JSON.stringify(foreign)} cannot stand`);
  const number = numberOf(body);
  if (number > LARGEST) throw wrong(`${got}, which is beyond the largest id`);
  return number.toString();
}

/** From the first to the last, both of them included. */
export interface IdRange {
  readonly low: string;
  readonly high: string;
}

/**
 * Which ids somebody may mean who wrote only the beginning of one, or left out its zeros: with a zero in front it is the
 * beginning of the whole text; without, of what is left when its zeros are gone, and the first range is the one id that is
 * written just so. Undefined for what is the beginning of no id of this kind.
 */
export function idsBeginning(kind: IdKind, text: string): readonly IdRange[] | undefined {
  const prefix = `${PREFIXES[kind]}_`;
  const lower = asciiLower(text);
  const body = lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
  if (body === "" || body.length > WIDTH) return undefined;
  if ([...body].some((character) => !FROM_CROCKFORD.has(character))) return undefined;
  const number = numberOf(body);
  const most = WIDTH - body.length;
  const ranges: IdRange[] = [];
  for (let more = number === 0n || /^[0o]/.test(body) ? most : 0; more <= most; more += 1) {
    const shift = BigInt(5 * more);
    const low = number << shift;
    const high = ((number + 1n) << shift) - 1n; // never beyond the largest: that ends a range of every width
    if (low <= LARGEST) ranges.push({ low: low.toString(), high: high.toString() });
  }
  return ranges.length === 0 ? undefined : ranges;
}

/** Of characters that are digits. BigInt() reads no base 32; two halves fit a double exactly (30 and 35 bits). */
function numberOf(body: string): bigint {
  const digits = [...asciiLower(body)]
    .map((character) => FROM_CROCKFORD.get(character))
    .join("")
    .padStart(WIDTH, "0");
  const high = BigInt(Number.parseInt(digits.slice(0, -LOW_CHARACTERS), 32));
  const low = BigInt(Number.parseInt(digits.slice(-LOW_CHARACTERS), 32));
  return (high << 35n) | low;
}

// toLowerCase() alone would let foreign letters in: U+212A (the Kelvin sign) becomes "k".
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
