import { InputError } from "./errors.ts";

export interface CheckJsonOptions {
  /** Name of the input as its caller knows it; every path in an error begins with it. */
  readonly field: string;
  readonly maxBytes: number;
}

const MAX_DEPTH = 64;
/**
 * A quote, backslash, control character or surrogate; what has none is written as it stands. Asked this way round,
 * because /^[…]*$/ keeps a place to go back to for every character of a long text.
 */
const SPECIAL = /[^\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]/;
/** An oversized value is measured up to here for the message; shared references could unfold without end. */
const MEASURED_BYTES = 16 * 1024 * 1024;

/**
 * The JSON text of a plain value, or an `InputError` naming the path of the first thing that JSON or PostgreSQL would
 * drop, change or refuse. JSON.stringify turns a Date into text, NaN into null and a Map into {}: what came back would
 * not be what was stored. Properties that are `undefined` are left out and -0 becomes 0, as JSON does.
 *
 * One pass writes and checks at once; a check before JSON.stringify would read everything twice, and a getter could
 * answer differently the second time.
 */
export function checkJson(value: unknown, options: CheckJsonOptions): string {
  const { maxBytes } = options;
  const flat = flatText(value);
  // No character takes more than three bytes.
  if (flat !== undefined && flat.length * 3 <= maxBytes) return flat;
  const { field } = options;
  const writer = idle ?? new Writer();
  // A getter of the caller's may come here again while this one is at work.
  idle = undefined;
  const text = writer.write(value, field, Math.max(maxBytes, MEASURED_BYTES));
  idle = writer;
  const bytes = text === undefined ? undefined : Buffer.byteLength(text);
  if (text !== undefined && bytes !== undefined && bytes <= maxBytes) return text;
  const size = bytes === undefined ? `more than ${count(writer.stopAt)}` : count(bytes);
  throw new InputError(
    field,
    `${field} is ${size} bytes, at most ${count(maxBytes)} are stored; ` +
      "keep large things in a file and pass a reference",
  );
}

/**
 * The text of an object that holds nothing but numbers, short plain texts and the like, as most do; undefined for everything that
 * takes a closer look. What it answers with was read once.
 */
function flatText(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return undefined;
  try {
    let text = "";
    for (const key in value) {
      const name = Object.hasOwn(value, key) ? flatName(key) : undefined;
      if (name === undefined) return undefined;
      const inside = flatValue((value as Record<string, unknown>)[key]); // key is one of its own
      if (inside === undefined) return undefined;
      text += text === "" ? name + inside : `,${name}${inside}`;
    }
    return `{${text}}`;
  } catch {
    // A getter of the caller's; the closer look tells where.
    return undefined;
  }
}

/** Names as they are written: thousands of values have the same few. */
const names = new Map<string, string>();
const NAMES_KEPT = 256;
const NAME_LETTERS = 100;

function flatName(key: string): string | undefined {
  const known = names.get(key);
  if (known !== undefined) return known;
  if (key.length > NAME_LETTERS || SPECIAL.test(key)) return undefined;
  const name = `"${key}":`;
  if (names.size < NAMES_KEPT) names.set(key, name);
  return name;
}

const FLAT_LETTERS = 1_000;

function flatValue(value: unknown): string | undefined {
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "number":
      return Number.isFinite(value) ? String(value) : undefined;
    case "string":
      return value.length <= FLAT_LETTERS && !SPECIAL.test(value) ? `"${value}"` : undefined;
    default:
      return value === null ? "null" : undefined;
  }
}

/** One serves most values one after the other. Lost when it throws: the next value gets another. */
let idle: Writer | undefined;

const count = (n: number) => n.toLocaleString("en-US");

class TooLong extends Error {}

class Writer {
  #field = "";
  stopAt = 0;
  #size = 0;
  // Only joined to a path when something is wrong.
  readonly #path: (string | number)[] = [];
  readonly #ancestors: object[] = [];

  /** undefined when the text grew beyond `stopAt`. */
  write(value: unknown, field: string, stopAt: number): string | undefined {
    this.#field = field;
    this.stopAt = stopAt;
    this.#size = 0;
    try {
      return this.#value(value);
    } catch (error) {
      if (error instanceof TooLong) return undefined;
      if (error instanceof InputError) throw error;
      // A getter or a proxy of the caller's; the path points at it.
      throw this.#wrong("cannot be read", error);
    } finally {
      // Nothing of the caller's stays behind.
      this.#path.length = 0;
      this.#ancestors.length = 0;
    }
  }

  #value(value: unknown): string {
    switch (typeof value) {
      case "string":
        return this.#counted(this.#string(value, "is text"));
      case "number":
        if (!Number.isFinite(value)) throw this.#wrong(`is ${value}, which JSON cannot hold; use null or text`);
        return this.#counted(String(value));
      case "boolean":
        return this.#counted(value ? "true" : "false");
      case "object":
        return value === null ? this.#counted("null") : this.#object(value);
      case "bigint":
        throw this.#wrong("is a BigInt, which JSON cannot hold; use text");
      case "undefined":
        throw this.#wrong("is undefined, which JSON cannot hold; use null");
      case "function":
      case "symbol":
        throw this.#wrong(`is a ${typeof value}, which JSON cannot hold; leave it out`);
    }
  }

  #object(value: object): string {
    if (this.#ancestors.includes(value)) throw this.#wrong("is circular: it contains itself; refer to it by an id");
    if (this.#ancestors.length >= MAX_DEPTH) {
      throw this.#wrong(`lies more than ${MAX_DEPTH} levels deep; make it flatter`);
    }
    this.#ancestors.push(value);
    const inside = Array.isArray(value) ? this.#elements(value) : this.#properties(value);
    this.#ancestors.pop();
    this.#counted("[]");
    return inside;
  }

  #elements(array: readonly unknown[]): string {
    let text = "";
    // By index and not for…of: a hole has to be seen as undefined, and an iterator may be the caller's own.
    for (let i = 0; i < array.length; i++) {
      this.#path.push(i);
      const element = this.#value(array[i]);
      this.#path.pop();
      text += i === 0 ? element : `,${element}`;
    }
    return `[${text}]`;
  }

  #properties(object: object): string {
    const prototype: unknown = Object.getPrototypeOf(object);
    // A root prototype is Object.prototype, of this realm or another.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw this.#wrong(`is ${insteadOf(object)}`);
    }
    let text = "";
    for (const key of Object.keys(object)) {
      this.#path.push(key);
      const value: unknown = (object as Record<string, unknown>)[key]; // key is one of its own
      if (value !== undefined) {
        const name = this.#counted(this.#string(key, "has a key"));
        const property = `${name}:${this.#value(value)}`;
        text += text === "" ? property : `,${property}`;
      }
      this.#path.pop();
    }
    return `{${text}}`;
  }

  #string(text: string, what: string): string {
    // Before quoting: a text near the engine's longest string would not fit once quoted.
    if (text.length > this.stopAt) throw new TooLong();
    // Most texts need no look at the rarer troubles below.
    if (!SPECIAL.test(text)) return `"${text}"`;
    if (text.includes("\0"))
      throw this.#wrong(`${what} with a NUL character, which PostgreSQL cannot store; remove it`);
    if (!text.isWellFormed()) {
      throw this.#wrong(`${what} with half of a surrogate pair (text cut inside a character); use toWellFormed()`);
    }
    return JSON.stringify(text);
  }

  // Commas and colons are not counted, so the true size may be larger, never smaller.
  #counted(text: string): string {
    this.#size += text.length;
    if (this.#size > this.stopAt) throw new TooLong();
    return text;
  }

  #wrong(why: string, cause?: unknown): InputError {
    const path = this.#field + this.#path.map(pathStep).join("");
    return new InputError(path, `${path} ${why}`, { cause });
  }
}

function pathStep(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  if (/^[A-Za-z_$][\w$]{0,63}$/.test(step)) return `.${step}`;
  return `[${JSON.stringify(step.length > 64 ? `${step.slice(0, 64)}…` : step)}]`;
}

function insteadOf(object: object): string {
  if (object instanceof Date) return "a Date; use its toISOString()";
  if (object instanceof Map) return "a Map; use Object.fromEntries(map) or an array of pairs";
  if (object instanceof Set) return "a Set; use an array: [...set]";
  if (ArrayBuffer.isView(object) || object instanceof ArrayBuffer) return "binary data; use base64 text or a reference";
  if (object instanceof Promise) return "a Promise; await it first";
  if (object instanceof Error) return "an Error; use its message";
  const name: unknown = object.constructor?.name;
  return `an instance of ${typeof name === "string" && name !== "" ? name : "a class"}; use a plain object`;
}
