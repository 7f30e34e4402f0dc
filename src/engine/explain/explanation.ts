// What an explanation says. Types only, and one limit that both the question and the answer know.

import type { OwnReason } from "../items/reasons.ts";
import type { ItemState } from "./state.ts";

export type Action = "cancel" | "retry" | "answer" | "signal" | "open" | "check" | "retry-parts" | "run-once";

export interface Explanation {
  readonly state: ItemState;
  readonly reason: OwnReason | (string & {});
  readonly sentence: string;
  /** The same without what the service said, which may quote others' items: for those who see only their own. */
  readonly discreetSentence: string;
  readonly since: Date | null;
  /** When it ends by itself, where it does. */
  readonly until: Date | null;
  /** The service that its stage goes through, where it does. */
  readonly service: string | null;
  /** What a person may do about it. */
  readonly actions: readonly Action[];
}

/** An explanation before it is put into words. */
export type Cause = Pick<Explanation, "reason" | "since" | "until">;

/** "more than so many are ahead" is all that anybody wants to know, and it keeps the count cheap over a million. */
export const AHEAD_MOST = 1_000;
