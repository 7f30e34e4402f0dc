// The key an outside effect carries. The nonce makes it unique beyond this database: ids alone are issued again after a
// restore, while what they named outside still exists, and the wrong thing would be adopted.

import { createHash } from "node:crypto";

export function idempotencyKey(nonce: string, stage: string, series: number, input: unknown): string {
  const text = JSON.stringify([nonce, stage, series, canonical(input)]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 27);
}

/** Keys in order: the database may hand the same object back with its keys arranged differently. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return entries.map(([key, entry]) => [key, canonical(entry)]);
}
