// The key an outside effect carries. The nonce makes it unique beyond this database: ids alone are issued again after a
// restore, while what they named outside still exists, and the wrong thing would be adopted.

import { createHash } from "node:crypto";
import type { Held } from "./held.ts";

/** What the key is made of: the item's nonce, the stage's name, the series, the input. */
export type KeyParts = readonly [nonce: string, stage: string, series: number, input: unknown];

/** `installation` stands in front, readable: whoever lists what a service has can tell ours from others'. */
export function idempotencyKey(installation: string, [nonce, stage, series, input]: KeyParts): string {
  const text = JSON.stringify([nonce, stage, series, canonical(input)]);
  return `${keyPrefix(installation)}${createHash("sha256").update(text).digest("base64url").slice(0, 27)}`;
}

/** The key of what a held item's stage does outside, in this series. */
export function keyOf(held: Held, installation: string): string {
  const { nonce, input } = held.row;
  return idempotencyKey(installation, [nonce, held.place.stage.name, held.series, input]);
}

export function keyPrefix(installation: string): string {
  return `slu-${installation}-`;
}

/** Keys in order: the database may hand the same object back with its keys arranged differently. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return entries.map(([key, entry]) => [key, canonical(entry)]);
}
