// What a visit returns. The set is closed: these, or a thrown fault, decide an item's fate, and nothing else does.

import type { Duration } from "../../kit/index.ts";

export interface Done<Output> {
  readonly type: "done";
  readonly output: Output;
  readonly spawn: readonly Child[];
}

export interface Skip<Output> {
  readonly type: "skip";
  readonly reason: string;
  readonly output: Output;
}

export interface Again {
  readonly type: "again";
  readonly after: Duration;
}

/** Waits for a time, a signal or another item, whichever is named; `again` is then the latest moment to look anew. */
export interface Wait {
  readonly type: "wait";
  readonly reason: string;
  /** What people are told in place of the reason's own words, for as long as the reason stays the same. */
  readonly note?: string;
  readonly again?: Duration;
  readonly signal?: string;
  readonly item?: string;
}

export interface Back {
  readonly type: "back";
  readonly stage: string;
  readonly note: unknown;
  /** The gate that did not let it pass, where one did so; the engine knows. */
  readonly gate?: string;
}

export interface Ask {
  readonly type: "ask";
  readonly question: string;
  readonly options?: readonly string[];
  readonly fallback?: { readonly answer: unknown; readonly after: Duration };
}

export interface Spawn {
  readonly type: "spawn";
  readonly children: readonly Child[];
}

/** A new item for some pipeline, made with `child()`. */
export interface Child {
  readonly pipeline: SpawnTarget<never>;
  readonly input: unknown;
  readonly priority?: number;
}

/** As much of a pipeline as is needed to name it and to check an input's type. */
export interface SpawnTarget<Asked> {
  readonly name: string;
  readonly version: number;
  readonly "~types": { readonly asked: Asked };
}

export type Outcome<Output = unknown> = Done<Output> | Skip<Output> | Again | Wait | Back | Ask | Spawn;

/** The stage is finished. Later stages read `output` under this stage's name; `spawn` adds items to the same request. */
export function done(): Done<void>;
export function done<Output>(output: Output, options?: { readonly spawn?: readonly Child[] }): Done<Output>;
export function done(output?: unknown, options: { readonly spawn?: readonly Child[] } = {}): Done<unknown> {
  return { type: "done", output, spawn: options.spawn ?? [] };
}

/** The stage has nothing to do here; the reason is kept. */
export function skip(reason: string): Skip<void>;
export function skip<Output>(reason: string, output: Output): Skip<Output>;
export function skip(reason: string, output?: unknown): Skip<unknown> {
  return { type: "skip", reason, output };
}

/** Not finished; visit again after this long. Counts nothing. */
export function again(after: Duration): Again {
  return { type: "again", after };
}

/** Nothing to do until something happens. The reason is what people are shown. Counts nothing. */
export function wait(reason: string, until: Omit<Wait, "type" | "reason">): Wait {
  return { type: "wait", reason, ...until };
}

/** An earlier stage has to be done again, with a note for it. Bounded by this stage's attempts. */
export function back(stage: string, note: unknown = null): Back {
  return { type: "back", stage, note };
}

/** A person has to decide. The next visit finds the answer in `answer`. */
export function ask(question: string, options: Omit<Ask, "type" | "question"> = {}): Ask {
  return { type: "ask", question, ...options };
}

/** Makes new items and waits until all of them have ended. The next visit finds them in `children`. */
export function spawn(children: readonly Child[]): Spawn {
  return { type: "spawn", children };
}

/** An item to spawn, its input checked against the pipeline's type. */
export function child<Asked>(
  pipeline: SpawnTarget<Asked>,
  input: NoInfer<Asked>,
  options: { readonly priority?: number } = {},
): Child {
  return { pipeline: pipeline as unknown as SpawnTarget<never>, input, ...options };
}
