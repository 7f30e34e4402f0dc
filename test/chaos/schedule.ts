// What happens when: drawn from the seed before anything starts. Pure.

import type { Random } from "../../src/kit/index.ts";
import type { Partition } from "./service-line.ts";

export type Nemesis =
  | { readonly type: "kill"; readonly victim: number; readonly inCall: boolean; readonly restartAfterMs: number }
  | {
      readonly type: "pause";
      readonly victim: number;
      readonly inCall: boolean;
      readonly ms: number;
      readonly cutOff: boolean;
    }
  | { readonly type: "leave"; readonly victim: number }
  | { readonly type: "crash" }
  | { readonly type: "disconnect" }
  | { readonly type: "eat"; readonly line: number }
  | { readonly type: "deafen" }
  | { readonly type: "service kill"; readonly inCall: boolean; readonly downMs: number }
  /** `victim`: the worker whose line is cut; null for all. */
  | { readonly type: "partition"; readonly how: Partition; readonly victim: number | null; readonly ms: number }
  | { readonly type: "refusal"; readonly status: 429 | 503; readonly ms: number };

export type NemesisType = Nemesis["type"];

export interface Planned {
  readonly atMs: number;
  readonly nemesis: Nemesis;
}

export const NEMESIS_TYPES: readonly NemesisType[] = [
  "kill",
  "pause",
  "leave",
  "crash",
  "disconnect",
  "eat",
  "deafen",
  "service kill",
  "partition",
  "refusal",
];
const PARTITIONS: readonly Partition[] = ["late", "cut", "mute"];

/** How often each happens in so many seconds. */
export function timesOf(type: NemesisType, seconds: number): number {
  switch (type) {
    case "kill":
      return Math.ceil(seconds * 1.28);
    case "pause":
      return Math.ceil(seconds * 0.3);
    case "leave":
      return Math.ceil(seconds * 0.1);
    case "crash":
      return Math.max(1, Math.round(seconds / 30));
    case "disconnect":
      return Math.ceil(seconds / 24);
    case "eat":
      return Math.ceil(seconds * 0.4);
    case "deafen":
      return Math.ceil(seconds / 20);
    // Between them the service has to be there for long enough that something is started.
    case "service kill":
      return Math.ceil(seconds / 10);
    case "partition":
      return Math.ceil(seconds / 12);
    case "refusal":
      return Math.ceil(seconds / 24);
  }
}

/** The lease of a stopped worker ends after 8 s, or after one missed beat when its connection is gone as well. */
const BEYOND_LEASE_MS = 10_000;
const BEYOND_CUT_LEASE_MS = 4_500;

export function plan(seconds: number, workers: number, random: Random): Planned[] {
  const firstMs = Math.min(2_000, seconds * 100);
  const spanMs = seconds * 1_000 - firstMs;
  const all = NEMESIS_TYPES.flatMap((type) => {
    const times = timesOf(type, seconds);
    // One in each of as many equal pieces of time: spread out, yet at any distance from each other.
    return Array.from({ length: times }, (_, index) => ({
      atMs: Math.round(firstMs + ((index + random.fraction()) / times) * spanMs),
      nemesis: draw(type, index, workers, random),
    }));
  });
  return all.sort((a, b) => a.atMs - b.atMs);
}

function draw(type: NemesisType, index: number, workers: number, random: Random): Nemesis {
  const victim = Math.floor(random.fraction() * workers);
  const inCall = random.fraction() < 0.6;
  switch (type) {
    case "kill":
      return { type, victim, inCall, restartAfterMs: random.fraction() < 0.6 ? 0 : 200 + random.fraction() * 1_500 };
    case "pause": {
      // The long ones are few: each takes a worker out of a short run for a good part of it.
      const cutOff = index % 5 !== 0;
      return { type, victim, inCall, cutOff, ms: cutOff ? BEYOND_CUT_LEASE_MS : BEYOND_LEASE_MS };
    }
    case "eat":
      return { type, line: index };
    case "leave":
      return { type, victim };
    case "crash":
    case "disconnect":
    case "deafen":
      return { type };
    case "service kill":
      return { type, inCall, downMs: 200 + random.fraction() * 1_500 };
    case "partition": {
      const how = PARTITIONS[index % PARTITIONS.length] ?? "late";
      return { type, how, victim: random.fraction() < 0.5 ? victim : null, ms: 1_600 + random.fraction() * 1_500 };
    }
    case "refusal":
      return { type, status: index % 2 === 0 ? 503 : 429, ms: 500 + random.fraction() * 2_000 };
  }
}
