// One request, read for people and programs: its counts, and the status and progress that follow from them.

import { formatId, parseId, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { StageLookup } from "../explain/state.ts";
import { progressOf, type RequestCounts, rollUp } from "../intake/rollup.ts";
import { evenStages } from "./item-line.ts";
import type { RequestLine } from "./list-requests.ts";
import { findRequest, findStandings, type Standing } from "./request.sql.ts";
import { type RemovalRow, readRemoval } from "./retention.sql.ts";

export interface RequestView extends RequestLine {
  /** The mean over its items that were not cancelled, in percent. */
  readonly progress: number;
  /** Somebody asked to have it removed, and it is on its way out. */
  readonly removal: { readonly by: string; readonly since: Date; readonly sentence: string } | null;
}

export async function readRequest(
  db: Queryable,
  stagesOf: StageLookup,
  request: string,
  owner?: string,
): Promise<RequestView> {
  const id = parseId("request", request, "request");
  const row = await findRequest(db, id, owner);
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no request ${request}`, { field: "request" });
  const { total, completed, partly, failed, cancelled } = row;
  const counts = { total, completed, partly, failed, cancelled };
  const standings = await findStandings(db, id);
  return {
    id: formatId("request", row.id),
    parent: row.parent_id === null ? null : formatId("item", row.parent_id),
    key: row.key,
    owners: row.owners ?? [],
    status: rollUp(
      counts,
      standings.some((one) => one.has_begun),
    ),
    counts,
    progress: requestProgress(counts, standings, stagesOf),
    createdAt: row.created_at,
    removal: toRemoval(await readRemoval(db, id)),
  };
}

function toRemoval(row: RemovalRow | undefined): RequestView["removal"] {
  if (row === undefined || row.asked_by === null) return null;
  const why = row.obstacle ?? "what is still under way is being cancelled";
  return { by: row.asked_by, since: row.asked_at, sentence: `Being removed, as ${row.asked_by} asked: ${why}.` };
}

/** Items may have moved between the two statements; a mean that is off by one item for a moment harms nobody. */
function requestProgress(counts: RequestCounts, standings: readonly Standing[], stagesOf: StageLookup): number {
  let items = counts.completed;
  let sum = counts.completed * 100;
  for (const one of standings) {
    const stages = stagesOf({ name: one.pipeline, version: one.pipeline_version }) ?? evenStages(one.stages);
    items += one.items;
    sum += one.items * progressOf(stages, one.stage ?? 0, one.progress / one.items);
  }
  // Everything was cancelled: nothing is left to do, and nothing was done.
  return items === 0 ? 0 : Math.min(100, sum / items);
}
