// The numbers in hot rows and their names. Numbers are never reused: journals outlive releases.

export const RUN_STATE = { idle: 0, leased: 1, watched: 2 } as const;

export const ITEM_STATE = { live: 0, done: 1, failed: 2, cancelled: 3 } as const;

export const WORKER_STATE = { alive: 0, left: 1, dead: 2 } as const;

/** What a run row knows about cold rows beside it, so that a claim reads them only where there is something to read. */
export const RUN_FLAG = { hasContext: 1, hasCheckpoint: 2, hasWaiter: 4, hasIntent: 8, hasParts: 16 } as const;

export const JOURNAL_KIND = {
  accepted: 0,
  done: 1,
  skip: 2,
  again: 3,
  wait: 4,
  back: 5,
  ask: 6,
  spawn: 7,
  fault: 8,
  refused: 9,
  reclaimed: 10,
  cancelled: 11,
  retried: 12,
  answered: 13,
  signalled: 14,
  joined: 15,
  crashed: 16,
  rescheduled: 17,
  started: 18,
  seen: 19,
  odd: 20,
  chosen: 21,
  replayed: 22,
  "taken-back": 23,
  priority: 24,
  valve: 30,
  worker: 31,
  service: 32,
  rollout: 33,
  "let-through": 34,
  operation: 40,
  check: 60,
  removed: 38,
  expired: 39,
} as const;

export type JournalKind = keyof typeof JOURNAL_KIND;

const kindNames = new Map<number, JournalKind>(
  Object.entries(JOURNAL_KIND).map(([name, number]) => [number, name as JournalKind]),
);

/** The name of a stored number; a number from a newer release reads as "unknown" instead of crashing an old one. */
export function journalKindName(number: number): JournalKind | "unknown" {
  return kindNames.get(number) ?? "unknown";
}

export type EndState = Exclude<keyof typeof ITEM_STATE, "live">;

const endNames: readonly EndState[] = ["done", "failed", "cancelled"];

export function endStateName(number: number): EndState | undefined {
  return endNames[number - 1];
}
