// What one visit came to, as `settle` writes it, and what it answers. Pure data.

export interface Settlement {
  readonly id: string;
  readonly version: number;
  /** Whose figures it counts for; null for a part. */
  readonly pipeline: number | null;
  readonly stage: number;
  readonly kind: number;
  /** 0 while the item lives on, else how it ended. */
  readonly ended: number;
  readonly toStage: number | null;
  readonly toLane: number | null;
  readonly handOff: boolean;
  readonly priority: number;
  readonly tookMs: number;
  /** The stage's output, an answer, a note for an earlier stage: JSON text. */
  readonly output: string | null;
  /** What most settlements have no need of; kept apart so that the usual batch stays narrow. */
  readonly detail: SettlementDetail | null;
}

export interface SettlementDetail {
  /** False when nothing a reader could see changed: a repeated wait updates the run row only. */
  readonly journal?: boolean;
  /** The attempt this settlement ends, where it ends one. */
  readonly attempt?: number;
  /** Attempts used so far in this series, from now on. */
  readonly attempts?: number;
  readonly series?: number;
  /** When it may be visited again; null: only when something wakes it. */
  readonly delayMs?: number | null;
  readonly reason?: string | null;
  readonly code?: string | null;
  readonly message?: string | null;
  /** The stage's work stays begun: outside work exists, or it is the same try that goes on. */
  readonly keepBegun?: boolean;
  /** Consecutive waits for something unavailable. */
  readonly waits?: number;
  /** How often the item was sent back since it was submitted or retried. */
  readonly backs?: number;
  /** It is watched from now on, in this lane's watch, under this name; the key finds the intent that learns of it. */
  readonly watch?: string;
  readonly ref?: string;
  readonly key?: string;
  /** What it was started as outside stays known: it is only finished again. */
  readonly keepRef?: boolean;
  /** What becomes of its intents as it leaves them behind: nothing is left outside, or something has to be cleaned up. */
  readonly intents?: "over" | "owed";
  /** So many items join its request as it ends: counted here, or the request would seem over and let go of its key. */
  readonly grows?: number;
}

/** Who settles, and in which lanes nothing more urgent may wait where it hands on. */
export interface Holder {
  readonly epoch: string;
  readonly servedLanes: readonly number[];
}

/** What went otherwise than asked for. Five hundred rows that say "as you wished" took longer to read than to write. */
export interface SettleAnswer {
  readonly refused: readonly string[];
  readonly ends_joins: boolean;
  readonly has_followers: boolean;
}

export interface SettledRow {
  readonly id: string;
  readonly version: number;
  /** True when the caller still holds the item and goes on with its next stage. */
  readonly held: boolean;
  /** Somebody may wait for what just ended. A hint: who began to wait at the same moment is found by the sweeper. */
  readonly ends_waits: boolean;
}
