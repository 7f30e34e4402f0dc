// What an action answers with: done, or why not.

export type ActionResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** How an action that may be refused ends, told to whoever asked. */
export function resultOf(refusal: string | undefined): ActionResult {
  return refusal === undefined ? { ok: true } : { ok: false, reason: refusal };
}
