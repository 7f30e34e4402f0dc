// What goes wrong, and when. A plan is asked at every step; what it answered is written down, so that a failing run can
// be repeated with fewer faults. Intensities differ from seed to seed: some runs are calm, some brutal, and each kind of
// fault is missing from some of them.

import { Dice } from "./dice.ts";

export const FAULTS = {
  crashBefore: 0.02, // kill -9 before the chosen task goes on
  crashAfter: 0.02, // kill -9 after the statement took effect and before its reply
  lostReply: 0.014, // the statement took effect, the reply did not arrive
  failBefore: 0.01, // the connection broke before the statement was sent
  conflict: 0.01, // deadlock victim or lock timeout
  trouble: 0.004, // disk full, read-only
  pause: 0.02, // SIGSTOP, mostly short
  longPause: 0.0055, // SIGSTOP beyond the lease
  databaseRestart: 0.0027,
  clockJump: 0.0027,
  terminate: 0.0065, // SIGTERM
  user: 0.065, // somebody does something
} as const;

export type FaultKind = keyof typeof FAULTS;
const KINDS = Object.keys(FAULTS) as FaultKind[]; // Object.keys forgets the key type of a constant

export interface Decision {
  readonly step: number;
  readonly kind: FaultKind;
  /** Chance in [0, 1) for the particulars. */
  readonly detail: number;
}

export interface Plan {
  at(step: number): Decision | undefined;
}

/** Each kind on its own: where processes hardly ever die, there is time for a pause to be noticed. */
function intensitiesOf(kind: FaultKind): readonly number[] {
  // User actions are the workload as well; a run without any would be idle.
  if (kind === "user") return [0.6, 1, 1.5];
  return kind === "longPause" ? [0, 1, 2, 4] : [0, 0.2, 1, 1, 2, 3];
}

/** Draws faults as it goes, with intensities of its own. */
export function randomPlan(seed: number): Plan & { readonly taken: Decision[] } {
  const dice = new Dice(seed, "faults");
  const rates = KINDS.map((kind) => ({ kind, rate: FAULTS[kind] * dice.pick(intensitiesOf(kind)) }));
  const taken: Decision[] = [];
  return {
    taken,
    at(step) {
      let chance = dice.fraction();
      const detail = dice.fraction();
      for (const { kind, rate } of rates) {
        chance -= rate;
        if (chance >= 0) continue;
        const decision = { step, kind, detail };
        taken.push(decision);
        return decision;
      }
      return undefined;
    },
  };
}

/** Exactly these, at their steps. */
export function givenPlan(decisions: readonly Decision[]): Plan {
  const byStep = new Map(decisions.map((decision) => [decision.step, decision]));
  return { at: (step) => byStep.get(step) };
}
