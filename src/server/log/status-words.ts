// The public words for where an item was before an event and where it is after it. Pure. An event alone does not always say whether
// the work of a stage had begun; where it does not, there is no word rather than a wrong one.

import { type ItemEvent, type StageFacts, statusWord } from "../../engine/index.ts";

type Outcome = ItemEvent["outcome"];

/** Somebody was at work on it, here or outside. */
const WAS_BEGUN: ReadonlySet<Outcome> = new Set(["crashed", "reclaimed", "seen", "odd", "joined"]);
const WAS_NOT: ReadonlySet<Outcome> = new Set(["answered", "signalled"]);
/** It stays in the stage, and its work goes on. */
const STAYS_BEGUN: ReadonlySet<Outcome> = new Set(["started", "seen", "odd"]);
/** It stays in the stage, and somebody has to come again. */
const STAYS_BETWEEN: ReadonlySet<Outcome> = new Set(["fault", "again", "spawn", "joined"]);
const BEGINS_ANEW: ReadonlySet<Outcome> = new Set([
  ...(["wait", "ask", "chosen", "crashed", "reclaimed", "retried", "replayed", "answered", "signalled"] as const),
]);

export interface StatusWords {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export function statusWords(event: ItemEvent, stages: readonly StageFacts[] | undefined): StatusWords {
  const word: Word = (stage, hasBegun, isBetween = false) => wordOf(stages, stage, { hasBegun, isBetween });
  const wasBegun = event.tookMs !== null || WAS_BEGUN.has(event.outcome) || (WAS_NOT.has(event.outcome) ? false : null);
  const from =
    event.from === null || wasBegun === null ? undefined : word(event.from, wasBegun, event.outcome === "joined");
  return { from, to: after(event, word) };
}

type Word = (stage: string, hasBegun: boolean, isBetween?: boolean) => string;

function after(event: ItemEvent, word: Word): string | undefined {
  const { end, to, from, outcome } = event;
  if (end !== null) return statusWord(end, { stage: 0, hasBegun: false, isBetween: false }, undefined);
  if (to === null) return undefined;
  if (to !== from || BEGINS_ANEW.has(outcome)) {
    // Parts that are waited for are at work.
    const isAtWork = outcome === "wait" && (event.reason === "parts" || event.reason === "withdrawing");
    return word(to, isAtWork, isAtWork);
  }
  if (STAYS_BETWEEN.has(outcome)) return word(to, true, true);
  return STAYS_BEGUN.has(outcome) ? word(to, true) : undefined;
}

/** Without the pipeline's code only the first stage's beginning is known from all that follows, and not that it is the first. */
function wordOf(
  stages: readonly StageFacts[] | undefined,
  name: string,
  how: { readonly hasBegun: boolean; readonly isBetween: boolean },
): string {
  const index = stages?.findIndex((stage) => stage.name === name) ?? -1;
  return statusWord(null, { stage: index < 0 ? 1 : index, ...how }, stages?.[index]?.words);
}
