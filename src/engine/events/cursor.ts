// A place in the feed, as text that clients keep and give back. What is inside is our business alone: the feed's epoch,
// then the transaction and the sequence number of the last event that was seen.
//
// (Sequence numbers alone are given out before the commit: a reader that remembered only the highest number it saw
// skipped a third of the events under load.)

import { InputError, SluiceError } from "../../kit/index.ts";

/** Where an event stands: decimal text, as the database gives it. */
export interface Position {
  readonly xid: string;
  readonly seq: string;
}

export interface Cursor extends Position {
  readonly epoch: string;
}

/**
 * The cursor belongs to a feed that is no more (after a restore or a move numbers are given out a second time), or events
 * after it are no longer kept.
 */
export class FeedResetError extends SluiceError {
  constructor() {
    super(
      "FEED_RESET",
      "this cursor is from before the database was restored or moved, or older than the history that is kept; read the state anew, then begin the feed without a cursor",
      { field: "after" },
    );
  }
}

const RADIX = 36;
const SHAPE = /^([0-9a-z]{1,13})-([0-9a-z]{1,13})-([0-9a-z]{1,13})$/;
const LARGEST_XID = (1n << 64n) - 1n;
const LARGEST_SEQ = (1n << 63n) - 1n;

export function formatCursor(cursor: Cursor): string {
  return [cursor.epoch, cursor.xid, cursor.seq].map((number) => BigInt(number).toString(RADIX)).join("-");
}

/** Throws `InputError` on `field` for text that no feed ever gave out. */
export function parseCursor(text: string, field = "after"): Cursor {
  const parts = typeof text === "string" ? SHAPE.exec(text) : null;
  const [epoch, xid, seq] = parts === null ? [] : parts.slice(1).map(fromRadix);
  if (epoch === undefined || xid === undefined || seq === undefined) throw notACursor(text, field);
  if (epoch > LARGEST_SEQ || xid > LARGEST_XID || seq > LARGEST_SEQ) throw notACursor(text, field);
  return { epoch: String(epoch), xid: String(xid), seq: String(seq) };
}

/** Negative when `a` comes first. */
export function comparePositions(a: Position, b: Position): number {
  return compare(BigInt(a.xid), BigInt(b.xid)) || compare(BigInt(a.seq), BigInt(b.seq));
}

/** Negative when `a` comes first; undefined when they are of different feeds. */
export function compareCursors(a: string, b: string): number | undefined {
  const [one, other] = [parseCursor(a), parseCursor(b)];
  return one.epoch === other.epoch ? comparePositions(one, other) : undefined;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** BigInt() reads no base 36. */
function fromRadix(text: string): bigint {
  let number = 0n;
  for (const digit of text) number = number * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX));
  return number;
}

function notACursor(text: unknown, field: string): InputError {
  const got = typeof text === "string" ? JSON.stringify(text.slice(0, 60)) : `a value of type ${typeof text}`;
  return new InputError(field, `${field} must be the cursor of an event or a page of this feed, got ${got}`);
}
