// Workers as people see them.

import { formatId, InputError, parseId, type WorkerId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { findWorkers, type Place, type WorkerRow } from "./workers.sql.ts";

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

export interface WorkersPage {
  /** The place of the last one that was seen. */
  readonly after?: string;
  readonly limit?: number;
}

/** Where it stands in the list. Those that live come first, and one that ends between two pages is told a second time. */
export function workerPlace({ id, endedAt }: Pick<WorkerState, "id" | "endedAt">): string {
  return `${endedAt === null ? "live" : "gone"}-${id}`;
}

function placeOf(after: string): Place {
  const [, which, id] = /^(live|gone)-(wrk_\w+)$/.exec(after) ?? [];
  if (id === undefined) throw new InputError("after", "after is the place of a worker that was listed before");
  return { isLive: which === "live", id: parseId("worker", id, "after") };
}

export async function readWorkers(db: Queryable, { after, limit = MOST }: WorkersPage = {}): Promise<WorkerState[]> {
  const place = after === undefined ? undefined : placeOf(after);
  return (await findWorkers(db, limit, place)).map((row) => ({
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
