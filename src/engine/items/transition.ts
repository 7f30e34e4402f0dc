// The decided change of one item, as data. `decide` makes it, `settle` writes it; between the two nobody thinks again.

import type { Child } from "../pipeline/outcome.ts";
import type { NewPart } from "../pipeline/parts.ts";
import type { EndState, JournalKind } from "./codes.ts";

export interface Transition {
  readonly kind: JournalKind;
  readonly to: { readonly stage: number } | { readonly end: EndState };
  /** The attempt that ends with this, where one does. */
  readonly attempt: number | null;
  /** What the run row carries from now on. */
  readonly attempts: number;
  readonly waits: number;
  readonly backs: number;
  readonly series: number;
  /** When it may be visited again: now (0), later, or only when something wakes it (null). */
  readonly delayMs: number | null;
  readonly reason: string | null;
  readonly code: string | null;
  readonly message: string | null;
  /** Stored as JSON where defined. */
  readonly output: unknown;
  /** False when a repeat changed nothing that a reader could see. */
  readonly journal: boolean;
  readonly keepBegun: boolean;
  /** Rows beside the run row that have to appear in the same transaction. */
  readonly beside: Beside | null;
  /** Into the lane its stage is entered by, whichever it is in now. */
  readonly entersAnew: boolean;
  /** Into the lane of this service; undefined for the lane it is in, or enters its next stage by. */
  readonly service: string | undefined;
  /** What becomes of its work outside, where it has any. */
  readonly outside: OutsideChange | null;
}

export type OutsideChange =
  | { readonly watch: { readonly ref: string; readonly key: string } }
  /** It is over, and only finishing it has to be done again. */
  | { readonly keep: true }
  /** It is left behind: nothing is there any more, or it has to be cleaned up. */
  | { readonly leave: "over" | "owed" };

export type Beside =
  | { readonly type: "waiter"; readonly kind: "signal" | "item"; readonly key: string }
  | {
      readonly type: "question";
      readonly text: string;
      readonly options: readonly string[] | null;
      readonly fallback: Fallback | null;
    }
  | { readonly type: "children"; readonly children: readonly Child[]; readonly join: boolean }
  | { readonly type: "parts"; readonly parts: readonly NewPart[]; readonly isWhole: boolean }
  /** The request that the parts belong to. */
  | { readonly type: "await-parts"; readonly request: string };

export interface Fallback {
  readonly answer: unknown;
  readonly afterMs: number;
}
