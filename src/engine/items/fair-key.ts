// Whose turn an item takes, in pipelines that take turns.

import type { AnyPipeline } from "../pipeline/pipeline.ts";

/** What is stored with the item: where turns are taken, all without a key and an owner share one. */
export function fairnessOf(
  pipeline: Pick<AnyPipeline, "fair">,
  given: { readonly fairness?: string | null; readonly owner: string | null },
): string | null {
  return given.fairness ?? (pipeline.fair ? (given.owner ?? "") : null);
}

/**
 * SQL: whose turn a stored item takes, in whatever pipeline it comes to. It may have been submitted to a version that took no
 * turns; without a key it would not be found where there is a limit per key.
 */
export const storedFairness = (item: string) => `coalesce(${item}.fairness, ${item}.owner, '')`;

/** SQL: what stands in the run row. Two keys with one hash share their turn. */
export const fairKey = (fairness: string) => `hashtextextended(${fairness}, 0)`;
