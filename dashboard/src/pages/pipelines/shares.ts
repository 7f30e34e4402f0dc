// Shares of new requests, as they are typed and as they are sent. Pure.

import type { Version } from "../../../../src/server/contract/wire.ts";

export type Typed = { readonly [version: number]: string };

/** As it is; without a rollout the newest gets everything. */
export function startOf(versions: readonly Pick<Version, "version" | "share">[]): Typed {
  const newest = Math.max(...versions.map(({ version }) => version));
  const hasNone = versions.every(({ share }) => share === null);
  return Object.fromEntries(
    versions.map(({ version, share }) => [version, String(hasNone && version === newest ? 100 : (share ?? 0))]),
  );
}

/** What is left empty gets nothing. Whether it makes 100 is for the server to say. */
export function sharesOf(typed: Typed): { readonly [version: string]: number } {
  return Object.fromEntries(Object.entries(typed).map(([version, share]) => [version, Number(share)]));
}
