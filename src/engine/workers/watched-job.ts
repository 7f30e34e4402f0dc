// An outside job as its watcher remembers it.

import type { Job } from "../items/stall.ts";

export interface WatchedJob {
  readonly id: string;
  readonly version: number;
  readonly ref: string;
  job: Job;
  /** As the run row has it. */
  saved: Job;
  savedAt: number;
  /** Looks in a row that did not find it. */
  missed: number;
  /** Nonsense it told, and whether that was written down. */
  readonly odd: Map<string, boolean>;
}
