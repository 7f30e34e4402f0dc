// How a stage does its work itself. For handlers that want many items at a time: one call to a service, one file, one statement for all of them. Only the call is
// shared; each item keeps its own attempts, time limit, checkpoint, gates and outcome.

import { type Duration, InputError, toMilliseconds } from "../../kit/index.ts";
import type { Outcome } from "./outcome.ts";

export interface RunMany<OneVisit, Output> {
  /** Visits in one call, at most. Default 100. */
  readonly most?: number;
  /** How long the first one waits for others. Counts to its time limit. Default 20 ms. */
  readonly within?: Duration;
  /** Answers in the order of the visits, one for each: an outcome, or the error that it failed with. */
  readonly run: (visits: readonly OneVisit[]) => Answers<Output> | Promise<Answers<Output>>;
}

export type Answers<Output> = readonly (Outcome<Output> | Error)[];

/** How a stage does its work itself: item by item, or many at once. */
export type OneOrMany<OneVisit, Output> =
  | {
      /** One visit: do the work, or a step of it, and say how it stands. */
      readonly run: (visit: OneVisit) => Outcome<Output> | Promise<Outcome<Output>>;
      readonly runMany?: undefined;
      readonly thread?: undefined;
    }
  | {
      readonly run?: undefined;
      /** The same for many visits in one call. */
      readonly runMany: RunMany<OneVisit, Output>;
      readonly thread?: undefined;
    }
  | {
      readonly run?: undefined;
      readonly runMany?: undefined;
      /**
       * For work that computes: a module whose default export is the handler, run in a thread of its own. What it hands on
       * has to be said: `.stage<"encode", { path: string }>("encode", …)`.
       */
      readonly thread: URL;
    };

/** The checked form. */
export interface ManyWork {
  readonly most: number;
  readonly withinMs: number;
  readonly run: RunMany<unknown, unknown>["run"];
}

const MOST = 100;
/** As many as a process can be made to hold. */
const MOST_HIGHEST = 100_000;

export function checkMany(place: string, given: RunMany<never, unknown>, timeoutMs: number): ManyWork {
  const field = `${place}.runMany`;
  if (typeof given !== "object" || given === null || typeof given.run !== "function")
    throw new InputError(`${field}.run`, `${field} is { most, within, run } with a run function`);
  const { most = MOST } = given;
  if (!Number.isInteger(most) || most < 1 || most > MOST_HIGHEST)
    throw new InputError(
      `${field}.most`,
      `${field}.most must be a whole number from 1 to ${MOST_HIGHEST}, got ${most}`,
    );
  const withinMs = toMilliseconds(given.within ?? "20ms", `${field}.within`);
  if (withinMs >= timeoutMs)
    throw new InputError(`${field}.within`, `${field}.within has to be shorter than the stage's timeout`);
  // The author's types end here, as with every other handler.
  return { most, withinMs, run: given.run as ManyWork["run"] };
}

/** The module's address, for whichever thread imports it. */
export function checkThread(place: string, thread: unknown): string {
  if (thread instanceof URL && thread.protocol === "file:") return thread.href;
  throw new InputError(
    `${place}.thread`,
    `${place}.thread is the address of a module: new URL("./encode.ts", import.meta.url)`,
  );
}
