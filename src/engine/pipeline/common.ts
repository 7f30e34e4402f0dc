// What every stage may say about itself, whoever does its work.

import type { Duration, ItemId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { Backoff } from "./backoff.ts";
import type { Back } from "./outcome.ts";
import type { Visit } from "./visit.ts";

/** A check on entering or leaving a stage. It throws a fault, or sends the item back, or lets it pass by saying nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: so that a gate may end without a return
export type Gate<Input = unknown, Out = unknown> = (visit: Visit<Input, Out>) => void | Back | Promise<void | Back>;

/** What one settled item was about, for a stage's `commit`. */
export interface Committed<Input, Output> {
  readonly item: ItemId;
  readonly input: Input;
  readonly output: Output;
}

/** The public word before a stage's work begins, from then on, and, where it is another, while it stands between two tries. */
export type StageWords = readonly [before: string, during: string, between?: string];

/** What every stage may say about itself, whoever does its work. */
export interface CommonDefinition<Input, Out, Output> {
  readonly words?: StageWords;
  /** Checked before `run` or `start`. */
  readonly enter?: readonly Gate<Input, Out>[];
  /** Checked when the work is done; they see its output under this stage's name. */
  readonly leave?: readonly Gate<Input, NoInfer<Out> & Record<string, unknown>>[];
  /** Writes of yours that happen in the same transaction as "done". Called for a batch; called again if it is tried again. */
  readonly commit?: (tx: Queryable, items: readonly Committed<Input, Output>[]) => Promise<void>;
  /**
   * At most so many of one fairness key in this stage at a time, over all workers; in each of its services, where it has
   * several. For pipelines that are `fair`.
   */
  readonly perKey?: number;
  /** How long one visit may take. */
  readonly timeout?: Duration;
  /** How many counted faults end it, the last one included. */
  readonly attempts?: number;
  readonly backoff?: Backoff;
  /** This stage's share of the item's progress, compared with its sister stages. */
  readonly weight?: number;
}
