// What a notification says to the one worker whose items it brings: all that a claim would have answered with. Whoever has the
// database can send anything, so it is read as what it may be: nonsense. Pure.

import type { ClaimedRow } from "../items/claim.sql.ts";
import { FRESH_RUN, PLAIN_ITEM } from "../items/claimed.ts";

export interface Letter {
  /** Whose they are. */
  readonly epoch: string;
  readonly rows: readonly ClaimedRow[];
}

/** Of another form it is of another release, and its items are found without it. */
const FORM = 1;

/** Undefined where it is none. */
export function readLetter(text: string): Letter | undefined {
  const [form, epoch, list] = listIn(text);
  if (form !== FORM || !isNumber(epoch) || !Array.isArray(list)) return undefined;
  const rows = list.map(rowOf);
  return rows.every((row) => row !== undefined) ? { epoch, rows } : undefined;
}

function listIn(text: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

/** In the order in which `few-afar.sql.ts` writes them. */
function rowOf(fields: unknown): ClaimedRow | undefined {
  if (!Array.isArray(fields)) return undefined;
  const [id, request_id, lane, priority, nonce, owner, fairness, fair, trace, codec, input]: unknown[] = fields;
  if (!isNumber(id) || !isNumber(request_id) || !isNumber(nonce)) return undefined;
  if (!isWhole(lane) || !isWhole(priority) || !isWhole(codec)) return undefined;
  if (!isText(owner) || !isText(fairness) || !isText(fair) || !isText(trace)) return undefined;
  return {
    ...{ ...FRESH_RUN, ...PLAIN_ITEM, fair, fairness, trace },
    ...{ id, request_id, version: 1, lane, stage: 0, priority, ready: 0, nonce, owner, codec, input },
  };
}

/** Too long for a number of ours. */
const isNumber = (value: unknown): value is string => typeof value === "string" && /^-?\d{1,20}$/.test(value);
const isWhole = (value: unknown): value is number => Number.isInteger(value);
const isText = (value: unknown): value is string | null => value === null || typeof value === "string";
