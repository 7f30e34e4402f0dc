// How work flows right now, for whoever has to tell people that it does not: what is due in each lane, what became of the last
// attempts, what stalled, and who is gone without a goodbye.

import { formatId, type ItemId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { goneWorkers } from "./gone-workers.sql.ts";
import {
  journalPulse,
  type LanePulseRow,
  lanePulses,
  longAway,
  type StagePulseRow,
  unexplainedCandidates,
} from "./pulse.sql.ts";

export interface Pulse {
  readonly now: Date;
  readonly lanes: readonly LanePulse[];
  /** Stages that were visited in the last 15 minutes, all versions together. */
  readonly stages: readonly StagePulse[];
  /** Of a very busy journal the newest rows are read; then: where they begin. Else null. */
  readonly readSince: Date | null;
  /** Of the last 15 minutes, newest first. */
  readonly stalls: readonly StallSeen[];
  /** Dead, and since then no worker has come of that name or with all of its work. Who stopped in order is not among them. */
  readonly gone: readonly GoneWorker[];
  /** Items that explain may have no reason for. */
  readonly unexplained: readonly ItemId[];
  /** Items that have waited for a day for something that does not answer, or for room; longest first, a hundred at most. */
  readonly longAway: readonly LongAway[];
}

export interface LongAway {
  readonly item: ItemId;
  readonly pipeline: string;
  readonly stage: string;
  readonly service: string | null;
  readonly since: Date;
}

export interface LanePulse {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  readonly service: string | null;
  /** In line, up to 10,000 of a priority. */
  readonly due: number;
  /** Of these, those that did not pile up while the service was away. */
  readonly fresh: number;
  /** Waiting by themselves for the service to answer. */
  readonly down: number;
  readonly oldestAt: Date | null;
  readonly oldest: readonly ItemId[];
  /** When one that is in hand was taken. */
  readonly claimedAt: Date | null;
  /** What closes it: "breaker", "switch", "pause", "hold". */
  readonly closedBy: readonly string[];
}

export interface StagePulse {
  readonly pipeline: string;
  readonly stage: string;
  /** Tries that ended, in success or in a counted fault; where a service of the stage came back meanwhile, since then. */
  readonly attempts: number;
  readonly faults: number;
  /** The most frequent. */
  readonly code: string | null;
  readonly faulty: readonly ItemId[];
  readonly visitedAt: Date;
}

export interface StallSeen {
  readonly item: ItemId;
  readonly pipeline: string;
  readonly stage: string;
  readonly service: string | null;
  readonly message: string | null;
  readonly at: Date;
}

export interface GoneWorker {
  readonly name: string;
  readonly pipelines: readonly string[];
  readonly services: readonly string[];
  readonly at: Date;
}

export async function readPulse(db: Queryable): Promise<Pulse> {
  const { now, since, stages, stalls } = await journalPulse(db);
  return {
    now,
    readSince: since,
    lanes: (await lanePulses(db)).map(toLane),
    stages: stages.map(toStage),
    stalls: stalls.map((row) => ({ ...row, item: formatId("item", row.item), at: new Date(row.at) })),
    gone: (await goneWorkers(db)).map(({ ended_at: at, ...worker }) => ({ ...worker, at })),
    longAway: (await longAway(db)).map(({ item, service, ...away }) => ({
      ...away,
      item: formatId("item", item),
      service: service === "" ? null : service,
    })),
    unexplained: (await unexplainedCandidates(db)).map((id) => formatId("item", id)),
  };
}

function toLane(row: LanePulseRow): LanePulse {
  const { pipeline, version, stage, service, due, fresh, down, closed_by: closedBy } = row;
  return {
    ...{ pipeline, version, stage, due, fresh, down, closedBy },
    service: service === "" ? null : service,
    oldestAt: row.oldest_at,
    oldest: row.oldest.map((id) => formatId("item", id)),
    claimedAt: row.claimed_at,
  };
}

function toStage(row: StagePulseRow): StagePulse {
  const { pipeline, stage, attempts, faults, code, faulty, visited_at: at } = row;
  const ids = faulty.map((id) => formatId("item", id));
  return { pipeline, stage, attempts, faults, code, faulty: ids, visitedAt: new Date(at) };
}
