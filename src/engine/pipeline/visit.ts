// What a stage's code is given when it is visited.

import type { ItemId, Logger, RequestId } from "../../kit/index.ts";
import type { FaultKind } from "./fault.ts";
import type { Service } from "./service.ts";

/** What a visit is given. Everything durable goes through it; nothing else an author keeps survives a crash. */
export interface Visit<Input = unknown, Out = unknown, Part = undefined> {
  readonly input: Input;
  /** Which of the stage's parts it is about; undefined in a stage without any. */
  readonly part: Part;
  /** The outputs of the stages before this one, by name. */
  readonly out: Out;
  /** Where it is. */
  readonly pipeline: string;
  readonly stage: string;
  readonly item: { readonly id: ItemId; readonly request: RequestId; readonly owner: string | null };
  /** The same for every try of this stage in this series, and for nothing else: pass it to whatever is asked to act. */
  readonly key: string;
  /** The trace its item was submitted in, as a W3C traceparent; undefined without one. */
  readonly trace: string | undefined;
  /** Kept with this visit and read with `sluice.logs`: the last 200 lines, or 64 KB of them. Costs nothing when unused. */
  readonly log: Logger;
  /** Which try this is, from 1. */
  readonly attempt: number;
  /** Aborted when the visit may no longer act: time is up, the worker stops, or the item was taken away. */
  readonly signal: AbortSignal;
  /** Partial work of this stage. What was saved is there again in the next visit, also after a crash. */
  readonly checkpoint: { readonly value: unknown; save(value: unknown): Promise<void> };
  /** In percent of this stage. Written now and then, so call it as often as you like. */
  progress(percent: number): void;
  /** Why this visit happens, where something ended a wait or a later stage came back. */
  readonly because: Because;
  /**
   * Calls a service behind its breaker, its rate and its report. Refused at once while the breaker is open: the item then
   * waits, without a spent attempt, until the service is well again.
   */
  call<Client, Result>(service: Service<Client>, work: (client: Client) => Promise<Result>): Promise<Result>;
}

/** What this stage was told since it was entered; absent where nothing was. */
export interface Because {
  readonly answer?: unknown;
  readonly signal?: unknown;
  readonly children?: readonly ChildResult[];
  /** From a later stage that returned the item with `back()`. */
  readonly note?: unknown;
  /** What came of the outside work. */
  readonly ended?: Ended;
  /** Services that this item stalled at since it entered the stage. */
  readonly stalledAt?: readonly string[];
}

export interface ChildResult {
  readonly id: ItemId;
  readonly state: "done" | "failed" | "cancelled";
  /** What its last stage handed on. */
  readonly output: unknown;
}

/** What the watcher saw the end of. */
export type Ending = "done" | "failed" | "missing" | "stalled";

export interface Ended {
  readonly ending: Ending;
  readonly service: string;
  readonly ref: string;
  readonly output?: unknown;
  /** Of a failure, as its look classified it. */
  readonly kind?: FaultKind;
  readonly code?: string;
  readonly message?: string;
}
