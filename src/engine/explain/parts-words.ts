// An item with parts, in one sentence with them: how many are done, which failed, and why the others are not there yet. Pure.

import type { PartStatus } from "../items/parts.ts";
import type { Explanation } from "./explanation.ts";
import type { TimeWords } from "./time-words.ts";

export interface PartFacts {
  readonly name: string;
  readonly status: PartStatus;
  readonly code: string | null;
  readonly message: string | null;
  /** Of a pending one that is told about: its own sentence. */
  readonly sentence: string | null;
  readonly discreetSentence: string | null;
  /** It fails with its sisters, and is not retried without them. */
  readonly isWhole: boolean;
}

/** Of the pending ones, so many are explained; of the failed ones, so many are named. */
export const PARTS_TOLD = 3;

/** `parts`: of the stage it is in while it lives, of all its stages when it has ended. */
export function withParts(explanation: Explanation, parts: readonly PartFacts[], times: TimeWords): Explanation {
  if (parts.length === 0) return explanation;
  const { reason, sentence, discreetSentence, actions, until } = explanation;
  const missing = parts.filter((part) => part.status !== "done");
  switch (reason) {
    case "parts":
      return { ...explanation, ...awaiting(parts), actions: withRetry(actions, parts) };
    case "withdrawing": {
      const again = until === null ? "" : ` Tried again at ${times.until(until)}.`;
      const undone = `${failures(parts)}; what the others did is being undone.${again}`;
      return { ...explanation, sentence: undone, discreetSentence: undone };
    }
    case "done": {
      if (missing.length === 0) return explanation;
      const rest = awaiting(parts);
      return {
        ...explanation,
        sentence: `${sentence} ${rest.sentence}`,
        discreetSentence: `${discreetSentence} ${rest.discreetSentence}`,
        actions: withRetry(actions, parts),
      };
    }
    case "failed":
      return { ...explanation, actions: withRetry(actions, parts) };
    default:
      return explanation;
  }
}

function awaiting(parts: readonly PartFacts[]): Pick<Explanation, "sentence" | "discreetSentence"> {
  return {
    sentence: awaitingBy(parts, ({ sentence }) => sentence),
    discreetSentence: awaitingBy(parts, ({ discreetSentence }) => discreetSentence),
  };
}

function awaitingBy(parts: readonly PartFacts[], sentenceOf: (part: PartFacts) => string | null): string {
  const done = parts.filter((part) => part.status === "done").length;
  const lost = parts.some((part) => part.status === "failed" || part.status === "cancelled");
  const pending = parts.filter((part) => part.status === "pending");
  const told = pending.filter((part) => sentenceOf(part) !== null);
  const more = pending.length - told.length;
  return [
    `Done for ${done} of ${parts.length}${lost ? `; ${lowered(failures(parts))}` : ""}.`,
    ...told.map((part) => `${part.name}: ${sentenceOf(part)}`),
    ...(more > 0 ? [`${more} more ${more === 1 ? "is" : "are"} on the way.`] : []),
  ].join(" ");
}

function failures(parts: readonly PartFacts[]): string {
  const failed = parts.filter((part) => part.status === "failed");
  const cancelled = parts.filter((part) => part.status === "cancelled");
  const why = failed.map(({ name, code, message }) => `${name} (${[code, message].filter(Boolean).join(", ")})`);
  return [
    ...(failed.length === 0 ? [] : [`Failed for ${some(why)}`]),
    ...(cancelled.length === 0 ? [] : [`cancelled for ${some(cancelled.map((part) => part.name))}`]),
  ].join("; ");
}

function some(names: readonly string[]): string {
  const more = names.length - PARTS_TOLD;
  return `${names.slice(0, PARTS_TOLD).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function withRetry(actions: Explanation["actions"], parts: readonly PartFacts[]): Explanation["actions"] {
  return parts.some((part) => part.status === "failed" && !part.isWhole) ? [...actions, "retry-parts"] : actions;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
