// An item with parts, in one sentence with them: how many are done, which failed, and why the others are not there yet. Pure.

import type { Explanation } from "./explanation.ts";
import type { TimeWords } from "./time-words.ts";

export interface PartFacts {
  readonly name: string;
  readonly code: string | null;
  readonly message: string | null;
  /** Of a pending one that is told about: its own sentence. */
  readonly sentence: string | null;
  readonly discreetSentence: string | null;
}

/** How many there are, and the first of them. */
export interface SomeParts {
  readonly count: number;
  readonly told: readonly PartFacts[];
}

export interface PartsFacts {
  readonly total: number;
  readonly done: number;
  readonly pending: SomeParts;
  readonly failed: SomeParts;
  readonly cancelled: SomeParts;
  /** Some failed that are retried without their sisters. */
  readonly canRetry: boolean;
}

/** Of the pending ones, so many are explained; of the failed ones, so many are named. */
export const PARTS_TOLD = 3;

/** `parts`: of the stage it is in while it lives, of all its stages when it has ended. */
export function withParts(explanation: Explanation, parts: PartsFacts, times: TimeWords): Explanation {
  if (parts.total === 0) return explanation;
  const { reason, sentence, discreetSentence, actions, until } = explanation;
  switch (reason) {
    case "parts":
      return { ...explanation, ...awaiting(parts), actions: withRetry(actions, parts) };
    case "withdrawing": {
      const again = until === null ? "" : ` Tried again at ${times.until(until)}.`;
      const undone = `${failures(parts)}; what the others did is being undone.${again}`;
      return { ...explanation, sentence: undone, discreetSentence: undone };
    }
    case "done": {
      if (parts.done === parts.total) return explanation;
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

function awaiting(parts: PartsFacts): Pick<Explanation, "sentence" | "discreetSentence"> {
  return {
    sentence: awaitingBy(parts, ({ sentence }) => sentence),
    discreetSentence: awaitingBy(parts, ({ discreetSentence }) => discreetSentence),
  };
}

function awaitingBy(parts: PartsFacts, sentenceOf: (part: PartFacts) => string | null): string {
  const { done, total, pending } = parts;
  const lost = parts.failed.count + parts.cancelled.count > 0;
  const told = pending.told.filter((part) => sentenceOf(part) !== null);
  const more = pending.count - told.length;
  return [
    `Done for ${done} of ${total}${lost ? `; ${lowered(failures(parts))}` : ""}.`,
    ...told.map((part) => `${part.name}: ${sentenceOf(part)}`),
    ...(more > 0 ? [`${more} more ${more === 1 ? "is" : "are"} on the way.`] : []),
  ].join(" ");
}

function failures({ failed, cancelled }: PartsFacts): string {
  const why = ({ name, code, message }: PartFacts) => `${name} (${[code, message].filter(Boolean).join(", ")})`;
  return [
    ...(failed.count === 0 ? [] : [`Failed for ${some(failed, why)}`]),
    ...(cancelled.count === 0 ? [] : [`cancelled for ${some(cancelled, ({ name }) => name)}`]),
  ].join("; ");
}

function some({ count, told }: SomeParts, words: (part: PartFacts) => string): string {
  const more = count - told.length;
  const named = told.length === 0 ? `${count}` : told.map(words).join(", ");
  return `${named}${more > 0 && told.length > 0 ? ` and ${more} more` : ""}`;
}

function withRetry(actions: Explanation["actions"], parts: PartsFacts): Explanation["actions"] {
  return parts.canRetry ? [...actions, "retry-parts"] : actions;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
