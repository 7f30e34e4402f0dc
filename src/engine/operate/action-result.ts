// What an action answers with: done, or why not.

import type { Copied } from "./copy.ts";
import type { Would } from "./plan.ts";

export type ActionResult =
  | {
      readonly ok: true;
      /** Of a dry run: what would be done. */
      readonly would?: Would;
      /** Of a replay as a copy: what was made. */
      readonly copy?: Copied;
      /** Of a request that others asked for too: it goes on for them. */
      readonly left?: true;
    }
  | { readonly ok: false; readonly reason: string };

/** How an action that may be refused ends, told to whoever asked. */
export function resultOf(refusal: string | undefined): ActionResult {
  return refusal === undefined ? { ok: true } : { ok: false, reason: refusal };
}

/** Of a dry run over several items: how many, or why none. */
export function wouldTouch(items: number | string): ActionResult {
  if (typeof items === "string") return { ok: false, reason: items };
  return { ok: true, would: { items, stage: null, keeps: [], redoes: [] } };
}
