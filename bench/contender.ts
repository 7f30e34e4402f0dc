// What somebody who takes part has to be able to do. Every contender is driven through these few calls, in a process and
// a database of its own.

import type { Payload } from "./payload.ts";

/** Where it may keep its work. */
export interface Place {
  /** URL of a database of its own. */
  readonly postgres: string;
  readonly redisPort: number;
  /** An empty folder, for those that bring their own database. */
  readonly folder: string;
}

export interface Task {
  readonly stages: number;
  /** How many items share a request, where there are requests. */
  readonly perRequest: number;
  /**
   * What it should be set up for: many items, one that must not wait, or as it comes, but with room for fifty items that last:
   * where a default has less, the settings for many items.
   */
  readonly tuned: "throughput" | "latency" | "holding";
  /** The tables are there, and nothing will be handed in here. */
  readonly isWorkerOnly?: true;
  /** Called by the handler of every item at every stage. */
  visit(payload: Payload, stage: number): void | Promise<void>;
}

export interface Contender {
  /** Whose processor time and log are counted as the server's. */
  readonly store: "postgres" | "redis" | "own";
  /** It has no handlers; what passed is read from its store alone. */
  readonly isBare?: true;
  /** Connects and creates its tables. Nothing is worked on yet. */
  open(place: Place, task: Task): Promise<Opened>;
}

export interface Opened {
  /** Stores items `from` to `from + count` in the fastest documented way; they are durable when this resolves. */
  submit(from: number, count: number): Promise<void>;
  submitOne(payload: Payload): Promise<void>;
  /** Starts a worker, or several within this process. */
  work(): Promise<void>;
  /** The store shows nothing that is not finished. */
  isEmpty(): Promise<boolean>;
  /** How many stages of items the store shows as finished; undefined where it keeps nothing of what is finished. */
  countFinished(): Promise<number | undefined>;
  /** Does at once what it does behind everybody's back, for what was handed in so far. */
  catchUp?(): Promise<void>;
  /** To take items one by one, where that can be asked for. */
  taker?(): Promise<Taker>;
  close(): Promise<void>;
}

export interface Taker {
  /** Takes one as a worker does; what it gives back finishes it. */
  take(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
