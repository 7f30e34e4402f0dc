// What a dead process had in its hands is suspect: something of it may have killed the process, and would kill the next
// one. A suspect is visited in a child process, under a parent that lives on and sees what happens. Eight share a child the
// first time, and as many more as have lasted in it for a while; those that were in a child when it died go alone from then
// on, so that the third death leaves no doubt whose doing it was. A death that no parent saw (kill -9, power, memory) counts
// for nobody.

import type { VisitResult } from "../items/standing.ts";
import { type Fault, permanent } from "../pipeline/fault.ts";
import type { Held } from "./held.ts";
import { type VisitPorts, visitStage } from "./visit.ts";

const VISITS_AT_FIRST = 8;
/** Each of them would have to go alone, should one of them kill it. */
export const VISITS_MOST = 32;
export const CRASHES_MOST = 3;

/** The visit's process died under it, and its parent saw it. Says how it died. */
export interface Crash {
  readonly crashed: string;
}

export interface Suspects {
  /** Never rejects. */
  visit(held: Held, ports: VisitPorts): Promise<VisitResult | Crash>;
  /** Some will come soon. Absent where there is nothing to prepare. */
  expect?(): void;
  /** Ends what is under way, counting nothing. */
  stop(): Promise<void>;
}

/** Visits in this very process: for one that cannot start another, and for tests that have only one. */
export function inlineSuspects(): Suspects {
  return { visit: visitStage, stop: async () => undefined };
}

/** What a further crash comes to, after this many counted before: nothing yet, or the end. */
export function crashFault(crashesBefore: number, how: string): Fault | undefined {
  if (crashesBefore + 1 < CRASHES_MOST) return undefined;
  return permanent("CRASH_LOOP", `its process died ${CRASHES_MOST} times, the last time alone with it: ${how}`);
}

/** A child, as far as it matters for who goes where. */
export interface ChildLoad {
  readonly visits: number;
  /** Those of them that have gone on for a while: what kills its process mostly does so soon. */
  readonly lasting: number;
  readonly isAlone: boolean;
  /** It has started and takes visits. */
  readonly isUp: boolean;
  /** It takes nothing more, and ends when it is empty. */
  readonly isClosing: boolean;
}

/** An index: that child. `replace`: wait for this one to end, which is to be asked to. */
export type ChildChoice = { readonly use: number } | { readonly replace: number } | "start" | "wait";

/** Each of those who go alone needs a start of its own; more at once only slow each other down. */
const ALONE_STARTING = 2;

export interface ChildLimits {
  /** Processes at a time. */
  readonly most: number;
  /** Visits ended just now, or a child came up: there may be room without another one. */
  readonly isMoving: boolean;
  /** Suspects that wait to share a child, this one among them. */
  readonly waiting: number;
}

/** Where a suspect goes. Neither kind may take every place, or the other would starve behind visits that last. */
export function chooseChild(crashes: number, children: readonly ChildLoad[], limits: ChildLimits): ChildChoice {
  const hasPlace = children.length < limits.most;
  const places = Math.max(1, limits.most - 1);
  if (crashes === 0) {
    const shared = children.filter((one) => !one.isAlone);
    const roomy = children.findIndex((one) => isOpen(one) && one.visits < roomIn(one));
    if (roomy >= 0) return { use: roomy };
    return hasPlace && shared.length < places && mayGrow(shared, limits) ? "start" : "wait";
  }
  // Always a fresh one: what an earlier visit left running there could kill it, and the wrong item would be blamed.
  const alone = children.filter((one) => one.isAlone);
  if (alone.length >= places || alone.filter((one) => !one.isUp).length >= ALONE_STARTING) return "wait";
  if (hasPlace) return "start";
  const idle = children.findIndex((one) => isOpen(one) && one.visits === 0);
  return idle >= 0 ? { replace: idle } : "wait";
}

function roomIn({ lasting }: ChildLoad): number {
  return Math.min(VISITS_MOST, Math.max(VISITS_AT_FIRST, 2 * lasting));
}

function isOpen(child: ChildLoad): boolean {
  return child.isUp && !child.isAlone && !child.isClosing;
}

/**
 * What a dead worker held comes all at once, and a process takes longer to start than one that runs needs for a handful
 * of short visits: a start for every eight slowed down everything else on the machine, and the visits with it. So the
 * first comes alone; where its visits last, at least until the next look, others come for those it will never have room for.
 */
function mayGrow(shared: readonly ChildLoad[], { isMoving, waiting }: ChildLimits): boolean {
  const open = shared.filter(isOpen);
  const starting = shared.filter((one) => !one.isUp).length;
  if (open.length === 0) return starting === 0;
  const left = open.reduce((sum, one) => sum - (VISITS_MOST - one.visits), waiting);
  return !isMoving && starting * VISITS_MOST < left;
}
