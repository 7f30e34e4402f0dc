// What a channel is given to tell, and the words of it that all channels share. Pure.

import { describeDuration } from "../../kit/index.ts";

export type MessageKind = "opened" | "reminder" | "updated" | "resolved" | "test";

/** Stored with its delivery, so it holds nothing that only admins may know of the channel. Times are ISO texts. */
export interface Message {
  readonly kind: MessageKind;
  /** Null of a test. */
  readonly alert: string | null;
  readonly rule: string;
  readonly key: string;
  readonly title: string;
  readonly sentence: string;
  /** What happens if nobody does anything. */
  readonly byItself: string;
  readonly count: number;
  readonly since: string;
  readonly resolvedAt: string | null;
  readonly examples: readonly string[];
  readonly url: string | null;
}

/** One line: "Resolved after 23 min: converter is not answering". */
export function headline({ kind, title, since, resolvedAt }: Message): string {
  switch (kind) {
    case "opened":
    case "updated":
    case "test":
      return title;
    case "reminder":
      return `Still: ${title}`;
    case "resolved":
      return `Resolved after ${lasted(since, resolvedAt ?? since)}: ${title}`;
  }
}

/** A few lines of plain text. */
export function plainText(message: Message): string {
  const { kind, sentence, byItself, examples } = message;
  const lines = kind === "resolved" ? [sentence] : [sentence, byItself];
  if (examples.length > 0 && kind !== "resolved") lines.push(`For example ${examples.join(", ")}.`);
  return lines.filter((line) => line !== "").join("\n");
}

function lasted(since: string, until: string): string {
  return describeDuration(new Date(until).getTime() - new Date(since).getTime());
}
