// Secrets we make ourselves: session tokens, API keys, the set-up link. 256 bits of chance, so a plain hash of them is enough to
// store; the text itself is shown once and kept nowhere.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** What one is for shows in its first letters: a scanner, and whoever finds one in a log, can tell. */
const PREFIXES = { session: "sls", key: "slk", setup: "slu" } as const;
export type TokenKind = keyof typeof PREFIXES;

const BYTES = 32;
const PATTERN = /^sl[sku]_[A-Za-z0-9_-]{43}$/;

export function newToken(kind: TokenKind): string {
  return `${PREFIXES[kind]}_${randomBytes(BYTES).toString("base64url")}`;
}

/** Undefined for what was never one of ours: nobody asks the database about it. */
export function tokenKind(text: string): TokenKind | undefined {
  if (!PATTERN.test(text)) return undefined;
  const kinds = Object.keys(PREFIXES) as TokenKind[]; // Object.keys forgets the key type of a constant
  return kinds.find((kind) => text.startsWith(`${PREFIXES[kind]}_`));
}

/** As it is stored and looked up. */
export function tokenHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Takes as long whatever they are. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(createHash("sha256").update(one).digest(), createHash("sha256").update(other).digest());
}
