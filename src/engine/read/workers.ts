// Workers as people see them.

import { formatId, type WorkerId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { findWorkers, type WorkerRow } from "./workers.sql.ts";

export interface WorkerState {
  readonly id: WorkerId;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  /** `late`: it has not been heard of for a few beats, and others are about to take over. `left`: it stopped in order. */
  readonly state: "alive" | "late" | "left" | "dead";
  readonly since: Date;
  readonly endedAt: Date | null;
  /** Null before its first. */
  readonly lastBeat: Date | null;
  /** The pipelines and versions whose code it has. */
  readonly pipelines: readonly { readonly name: string; readonly version: number }[];
  /** The services it has a client for. */
  readonly services: readonly string[];
  /** The stages it serves, in all its pipelines; null for all of them. */
  readonly stages: readonly string[] | null;
  /** How many items it has in its hands. */
  readonly items: number;
}

const MOST = 200;
/** It beats every two seconds, and is given up after eight. */
const LATE_MS = 6_000;

export async function readWorkers(db: Queryable): Promise<WorkerState[]> {
  return (await findWorkers(db, MOST)).map((row) => ({
    id: formatId("worker", row.id),
    name: row.name,
    host: row.host,
    pid: row.pid,
    state: stateOf(row),
    since: row.started_at,
    endedAt: row.ended_at,
    lastBeat: row.seen_at,
    pipelines: row.pipelines,
    services: row.services,
    stages: row.stages,
    items: row.held,
  }));
}

function stateOf({ state, connected, unheard }: WorkerRow): WorkerState["state"] {
  if (state !== 0) return state === 1 ? "left" : "dead";
  return connected === false || (unheard ?? 0) > LATE_MS ? "late" : "alive";
}
