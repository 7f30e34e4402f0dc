// Whose turn an item takes, in pipelines that take turns.

import type { AnyPipeline } from "../pipeline/pipeline.ts";

/** What is stored with the item: where turns are taken, all without a key and an owner share one. */
export function fairnessOf(
  pipeline: Pick<AnyPipeline, "fair">,
  given: { readonly fairness?: string | null; readonly owner: string | null },
): string | null {
  return given.fairness ?? (pipeline.fair ? (given.owner ?? "") : null);
}

/** SQL: what stands in the run row. Two keys with one hash share their turn. */
export const fairKey = (fairness: string) => `hashtextextended(${fairness}, 0)`;
