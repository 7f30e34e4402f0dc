// A workload: who takes part with how much, what is measured of each in a process of its own, and how it is shown.

import type { ContenderName } from "./contenders/catalogue.ts";
import type { Servers } from "./servers.ts";

/** What one contender in one round came to: figures by name. */
export type Sample = Readonly<Record<string, number>>;

export interface Entrant {
  /** How it is called in tables. */
  readonly label: string;
  readonly contender: ContenderName;
  readonly items: number;
  readonly perRequest?: number;
  /** Behind or before what the measured items stand, where that is asked. */
  readonly among?: Among;
  /** Its outside jobs get on between two looks, where there are any. */
  readonly isMoving?: true;
  /** In how many processes it works, where that is asked. */
  readonly processes?: number;
  /** Slow ones sit out some rounds, or they would be most of the run. Default: every round. */
  readonly everyNth?: number;
}

export interface Among {
  /** Ready, the measured ones among them. */
  readonly queued: number;
  /** Of a better priority, and not due for a month. */
  readonly deferred?: number;
  /** Behind a service that is down. */
  readonly held?: number;
  /** Worked off while somebody keeps a snapshot open that is older than all of it. */
  readonly underSnapshot?: number;
}

export interface Column {
  /** Which figure. */
  readonly figure: string;
  readonly title: string;
  readonly digits: number;
  /** Also shown as a ratio to the limit. */
  readonly isCompared?: true;
}

/** What a measured process is told; it travels as JSON. */
export interface Assignment {
  readonly workload: string;
  readonly entrant: Entrant;
  readonly servers: Servers;
  /** How much a handler computes that computes for a millisecond; found once for a whole run. */
  readonly turns: number;
}

export interface Workload {
  readonly title: string;
  /** One or two sentences: what is done, and what is measured. */
  readonly about: string;
  /** The label of what others are compared with. */
  readonly limit: string;
  readonly columns: readonly Column[];
  rounds(isQuick: boolean): number;
  entrants(isQuick: boolean): readonly Entrant[];
  measure(assignment: Assignment): Promise<Sample>;
}

/** Those whose label has one of the names in it. */
export function chosenAmong(entrants: readonly Entrant[], names: readonly string[]): Entrant[] {
  return entrants.filter(({ label }) => names.some((name) => label.includes(name)));
}
