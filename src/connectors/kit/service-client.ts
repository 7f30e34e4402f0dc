// What the engine needs of a service that does long work: begin it once, find it again, look at all of it in one go.
// A plain object with these five functions is a service client, whatever stands behind it.

import type { Fault } from "../../engine/index.ts";

export type WorkState = "queued" | "running" | "paused" | "done" | "failed" | "missing";

export interface Look<Output = unknown> {
  readonly state: WorkState;
  /** Counters that move while there is activity: bytes, frames. Which way does not matter. */
  readonly marks: Readonly<Record<string, number>>;
  /** In percent, 0 … 100; left out where the service says nothing usable. */
  readonly progress?: number;
  /** Of what is done. */
  readonly output?: Output;
  /** Of what has failed. */
  readonly fault?: Fault;
}

export interface Work<Input = unknown> {
  /** The same for every try; two starts with one key are one piece of work. */
  readonly key: string;
  readonly input: Input;
}

export interface Listed {
  readonly ref: string;
  readonly key: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ServiceClient<Input = unknown, Output = unknown> {
  /** The service's own name for the work. */
  start(work: Work<Input>, call?: CallOptions): Promise<string>;
  /** What was started under this key, for instance by a process that died before it could say so. */
  adopt(key: string, call?: CallOptions): Promise<string | null>;
  /** An answer for every ref. */
  look(refs: readonly string[], call?: CallOptions): Promise<ReadonlyMap<string, Look<Output>>>;
  /** Gone already is as good as cancelled. */
  cancel(ref: string, call?: CallOptions): Promise<void>;
  /** All work whose key begins so, or a fault: half a list would make living work look lost. */
  list(prefix: string, call?: CallOptions): Promise<readonly Listed[]>;
}
