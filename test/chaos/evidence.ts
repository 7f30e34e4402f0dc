// All that is known about a run when it is over: what the client saw, what the workers did, what the service outside
// saw, what the nemeses did, and what stands in the database. Plain data, so that the checkers are pure. Times are
// milliseconds of the machine's wall clock, which all processes and the server share.

/** `endless`: its job outside runs until somebody cancels the item. */
export type Fate = "well" | "permanent" | "hopeless" | "mend" | "endless";

/** The input of every pipeline of the run. */
export interface Asked {
  /** Unique over the whole run. */
  readonly tag: string;
  readonly fate: Fate;
  /** So many transient faults before it goes well. */
  readonly blips: number;
}

export type Answer = "ok" | "failed" | "unknown";

export interface Submission {
  readonly op: "submit";
  readonly pipeline: string;
  readonly tags: readonly string[];
  readonly key: string | null;
  readonly answer: Answer;
  readonly at: number;
  /** Of an acknowledged one. */
  readonly request?: string;
  readonly items?: readonly string[];
  readonly joined?: boolean;
}

export interface Action {
  readonly op: "cancel" | "retry";
  /** An item's or a request's id. */
  readonly target: string;
  readonly answer: Answer;
  /** Whether the engine said that it did something. */
  readonly did: boolean;
  readonly at: number;
}

export interface ResultRead {
  readonly op: "result";
  readonly items: readonly { readonly id: string; readonly state: string }[];
  readonly at: number;
}

export type Operation = Submission | Action | ResultRead;

/** Written by a worker the moment a handler is entered, and when a checkpoint was acknowledged. */
export interface VisitNote {
  readonly what: "enter" | "saved";
  readonly at: number;
  readonly pid: number;
  readonly ppid: number;
  readonly item: string;
  readonly stage: string;
  /** The idempotency key, the same for all visits of a series. */
  readonly key: string;
  /** Where a checkpoint was found or saved. */
  readonly step: number;
}

/** A call that the service outside received. */
export interface ServiceCall {
  readonly kind: "effect" | "start";
  readonly key: string;
  readonly item: string;
  readonly stage: string;
  readonly at: number;
  readonly applied: boolean;
}

/** The tag of jobs under keys of ours that no item asked for, put there to see whether somebody removes them. */
export const PLANTED = "planted";

/** What the job service remembers of one key. */
export interface JobFact {
  readonly key: string;
  /** Of the item it was started for. */
  readonly tag: string;
  readonly starts: number;
  readonly made: number;
  /** How often the work was really done. */
  readonly effects: number;
  readonly removed: number;
  readonly isAlive: boolean;
}

/** Somebody told the engine that a job had ended. */
export interface Webhook {
  readonly key: string;
  /** Whether the engine said that this was news. */
  readonly isNews: boolean;
}

export interface Kill {
  readonly pid: number;
  readonly at: number;
  /** The same worker was started again at once. */
  readonly isAtOnce: boolean;
  /** When it was up again; null when it was killed before that. */
  readonly readyAt: number | null;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Pause extends Span {
  readonly pid: number;
}

export interface ItemRow {
  readonly id: string;
  readonly request: string;
  readonly pipeline: string;
  readonly stages: number;
  readonly state: number;
  readonly input: Asked;
  readonly hasRun: boolean;
}

export interface RequestRow {
  readonly id: string;
  readonly key: string | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
}

export interface JournalRow {
  readonly order: number;
  readonly item: string;
  readonly kind: number;
  readonly version: number;
  readonly epoch: string | null;
  readonly stage: number | null;
  readonly toStage: number | null;
  readonly ended: number;
  readonly attempt: number | null;
  readonly series: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly at: number;
}

export interface WorkerLife {
  readonly epoch: string;
  readonly name: string;
  readonly pid: number;
  readonly startedAt: number;
  /** When it left or was marked dead; null while it lives. */
  readonly endedAt: number | null;
}

/** Something that a nemesis did. */
export interface Strike {
  readonly at: number;
  readonly what: string;
}

export interface Evidence {
  readonly operations: readonly Operation[];
  readonly visits: readonly VisitNote[];
  readonly calls: readonly ServiceCall[];
  readonly jobs: readonly JobFact[];
  readonly webhooks: readonly Webhook[];
  /** What the engine set about removing outside. */
  readonly removals: { readonly total: number; readonly waiting: number; readonly failed: number };
  readonly items: readonly ItemRow[];
  readonly requests: readonly RequestRow[];
  /** In the order of the feed. */
  readonly journal: readonly JournalRow[];
  /** Items that have a row in the application's table, once for each row. */
  readonly ledger: readonly string[];
  readonly lives: readonly WorkerLife[];
  readonly kills: readonly Kill[];
  readonly pauses: readonly Pause[];
  /** Whatever was done to the database and the lines to it. */
  readonly strikes: readonly Strike[];
  /** When the database was away. */
  readonly downtimes: readonly Span[];
  /** When no worker was up. */
  readonly absences: readonly Span[];
  /** The most that were ever seen in the capped stage at once, and its cap. */
  readonly capped: { readonly most: number; readonly cap: number };
  readonly explained: Explained;
  /** Worker processes that ended although nobody had ended them. */
  readonly fallen: readonly string[];
}

/** What was told, in the middle of it, about why items wait. */
export interface Explained {
  looks: number;
  /** Looks that could not be had: the database was away, or somebody frozen held a lock. */
  missed: number;
  /** Waiting items that were explained, in all looks together. */
  items: number;
  readonly reasons: Map<string, number>;
  /** Told nothing, or told something else than what the claim would do. */
  readonly wrong: { readonly item: string; readonly what: string }[];
}

export type FindingKind = "lost" | "recorded twice" | "effect twice" | "blameless failure" | "other";

export interface Finding {
  readonly kind: FindingKind;
  readonly what: string;
  readonly item?: string;
}
