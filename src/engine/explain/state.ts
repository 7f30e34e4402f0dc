// The words for where an item stands. Derived on read, never stored. Pure.

import { type EndState, RUN_STATE } from "../items/codes.ts";
import type { StageWords } from "../pipeline/common.ts";
import type { StallRules } from "../pipeline/outside.ts";

export type ItemState = "queued" | "running" | "waiting" | "needs-you" | EndState;

/** What a run row says about its item's state. */
export interface RunFacts {
  readonly state: number;
  readonly reason: string | null;
  /** Whether its time has come, by the database's clock. */
  readonly isDue: boolean;
}

/** Without an end and without a run row there is nothing to go by: a bug, and shown as waiting for who knows what. */
export function itemState(end: EndState | null, run: RunFacts | null): ItemState {
  if (end !== null) return end;
  if (run === null) return "waiting";
  if (run.state !== RUN_STATE.idle) return "running";
  if (run.isDue) return "queued";
  return run.reason === "question" ? "needs-you" : "waiting";
}

/** The part of a stage that readers need; `Stage` is one. */
export interface StageFacts {
  readonly name: string;
  readonly words: StageWords | undefined;
  readonly weight: number;
  readonly attemptsMax: number;
  readonly timeoutMs?: number;
  /** Its gates, by name. */
  readonly enter?: readonly { readonly name: string }[];
  readonly leave?: readonly { readonly name: string }[];
  readonly outside?: { readonly stall: StallRules; readonly inLine?: string | undefined } | undefined;
}

/** Finds a pipeline's stages. Undefined where this process has no code of that version; reads then do without. */
export type StageLookup = (pipeline: {
  readonly name: string;
  readonly version: number;
}) => readonly StageFacts[] | undefined;

const ENDINGS: { readonly [End in EndState]: string } = { done: "COMPLETED", failed: "FAILED", cancelled: "CANCELLED" };

export interface WorkPlace {
  readonly stage: number;
  readonly hasBegun: boolean;
  /** Nobody is at work on it just now: it was tried, and is tried again. */
  readonly isBetween: boolean;
}

/** The public word: the pipeline's own where it has some. */
export function statusWord(end: EndState | null, place: WorkPlace, words: StageWords | undefined): string {
  if (end !== null) return ENDINGS[end];
  if (words !== undefined) {
    const [before, during, between = during] = words;
    if (!place.hasBegun) return before;
    return place.isBetween ? between : during;
  }
  return place.stage > 0 || place.hasBegun ? "PROCESSING" : "PENDING";
}
