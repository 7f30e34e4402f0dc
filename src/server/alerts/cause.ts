// A cause: one thing that is wrong, however many items suffer from it. And the facts that causes are found in.

import type { Explanation, ItemId, Pulse, ServiceState, StuckItem } from "../../engine/index.ts";
import type { RuleName } from "./rule.ts";

export interface Cause {
  readonly rule: RuleName;
  /** Names the cause, not the moment: the same as long as it is the same. */
  readonly key: string;
  readonly title: string;
  readonly sentence: string;
  /** What happens if nobody does anything. */
  readonly byItself: string;
  readonly count: number;
  /** Since when by the facts; null: since it was first seen. */
  readonly since: Date | null;
  /** Three at most. */
  readonly examples: readonly string[];
  /** Whose work it is about, and whom that depends on: what this may be a consequence of. */
  readonly pipelines?: readonly string[];
  readonly services?: readonly string[];
}

export interface DiskSpace {
  /** "temporary files", "the database", what lies on it. */
  readonly uses: readonly string[];
  readonly path: string;
  readonly free: number;
  readonly size: number;
}

export interface DiskFacts extends DiskSpace {
  readonly host: string;
}

export interface FailingChannel {
  readonly id: string;
  readonly name: string;
  readonly since: Date;
  readonly tries: number;
  readonly why: string;
  readonly waiting: number;
}

export interface GoneEncoder {
  readonly name: string;
  /** When it was last heard of. */
  readonly at: Date;
}

export interface Facts extends Pulse {
  readonly services: readonly ServiceState[];
  readonly stuck: readonly StuckItem[];
  /** Why the oldest due item of a lane is not claimed, of lanes where that is odd; by `laneName`. Null: nobody looked, they are many. */
  readonly heads: ReadonlyMap<string, Explanation | null>;
  /** Those of `unexplained` that explain has no reason for. */
  readonly unknown: readonly ItemId[];
  readonly disks: readonly DiskFacts[];
  readonly failing: readonly FailingChannel[];
  /** Encoders of films that are not heard of and had not said goodbye. */
  readonly encoders: readonly GoneEncoder[];
}

export const EXAMPLES_MOST = 3;

export function few<Entry>(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(0, EXAMPLES_MOST);
}

/** "1 item", "2,000 items". */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : more}`;
}

export function laneName({ pipeline, version, stage, service }: Pulse["lanes"][number]): string {
  return [pipeline, version, stage, service ?? ""].join("/");
}

export function secondsSince(now: Date, then: Date): number {
  return (now.getTime() - then.getTime()) / 1_000;
}

export function latest(times: readonly (Date | null | undefined)[]): Date | null {
  const known = times.filter((time): time is Date => time instanceof Date);
  return known.length === 0 ? null : new Date(Math.max(...known.map((time) => time.getTime())));
}

export function earliest(times: readonly (Date | null | undefined)[]): Date | null {
  const known = times.filter((time): time is Date => time instanceof Date);
  return known.length === 0 ? null : new Date(Math.min(...known.map((time) => time.getTime())));
}
