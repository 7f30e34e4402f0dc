// What the stages of an item have handed on, told from its journal. Pure.

import { JOURNAL_KIND } from "./codes.ts";
import type { ContextRow } from "./context.sql.ts";

/** From that stage on all is done again: what it and later ones had handed on is void. */
export function isSentBack(kind: number): boolean {
  return kind === JOURNAL_KIND.back || kind === JOURNAL_KIND.replayed;
}

/** By stage, for rows of one item, oldest first; only of stages before `before`. */
export function outputsUpTo(before: number, rows: readonly ContextRow[]): Map<number, unknown> {
  const outputs = new Map<number, unknown>();
  for (const { kind, stage, to_stage, output } of rows) {
    if (stage === null) continue;
    if (isSentBack(kind)) for (const one of [...outputs.keys()]) if (one >= (to_stage ?? 0)) outputs.delete(one);
    const isOutput = kind === JOURNAL_KIND.done || kind === JOURNAL_KIND.skip;
    if (isOutput && stage < before) outputs.set(stage, output);
  }
  return outputs;
}
