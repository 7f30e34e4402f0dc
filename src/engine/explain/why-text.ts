// An explanation for a terminal. Pure: now, zone and commands are given.

import type { ItemId } from "../../kit/index.ts";
import type { Action, Explanation } from "./explanation.ts";
import { timeWords } from "./time-words.ts";

export interface WhyFacts {
  readonly item: ItemId;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  /** The pipeline's public word for it. */
  readonly status: string;
  readonly key: string | null;
  readonly explanation: Explanation;
  /** A sentence about when it will be done, or why nobody can say. */
  readonly estimate: string | null;
}

export interface WhyOptions {
  readonly now: Date;
  readonly timeZone?: string | undefined;
}

const ACTIONS: { readonly [Name in Action]: string } = {
  cancel: "cancel it",
  retry: "retry it",
  answer: "answer the question",
  signal: "send the signal",
  open: "switch or let it on again",
  check: "have the service looked at now",
  "retry-parts": "retry its failed parts",
  "run-once": "let it through once",
};

export function whyText(facts: WhyFacts, options: WhyOptions): string {
  const { explanation } = facts;
  const times = timeWords(options.now, options.timeZone);
  const since = explanation.since === null ? "" : ` since ${times.since(explanation.since)}`;
  const named = [`${facts.pipeline} ${facts.version}`, ...(facts.key === null ? [] : [facts.key])].join(", ");
  const can = explanation.actions.map((action) => ACTIONS[action]);
  return [
    `${facts.item} (${named}) is ${facts.status} in ${facts.stage}${since}`,
    ...sentences(explanation.sentence).map((line) => `  ${line}`),
    ...(facts.estimate === null ? [] : [`  ${facts.estimate}`]),
    ...(can.length === 0 ? [] : [`You can:  ${can.join("  │  ")}`]),
  ].join("\n");
}

/** A line each: nobody reads a paragraph in a terminal. */
function sentences(text: string): string[] {
  return text.replaceAll(/\s*\n\s*/g, " ").split(/(?<=[.?!]) (?=[A-Z])/);
}
