// Somebody else brings the news that an outside job has ended: a webhook, a callback. It may come twice, late, or before the
// watcher looked; only a watched row is moved, once, and whoever is second finds nothing to do.

import { InputError, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { recordEnds, watchedByKey } from "../items/seen.sql.ts";
import type { Seen } from "../pipeline/outside.ts";
import { endOf } from "./job-end.ts";
import type { Registry } from "./registry.ts";

export type ReportedEnd = Pick<Seen, "output" | "fault"> & { readonly state: "done" | "failed" };

/**
 * False when nothing is watched under that key: it has ended already, was cancelled, or was only just started. The watcher's
 * next look finds the same, so nothing is lost by it.
 */
export async function reportEnd(db: Queryable, registry: Registry, key: string, end: ReportedEnd): Promise<boolean> {
  if (typeof key !== "string" || key === "") throw new InputError("key", "reportEnd needs the key of the outside job");
  if (end?.state !== "done" && end?.state !== "failed")
    throw new InputError("state", `an outside job ends as "done" or "failed", got ${safeText(end?.state, 80)}`);
  const row = await watchedByKey(db, key);
  const place = row === undefined ? undefined : registry.lane(row.lane);
  const finish = place === undefined ? undefined : registry.placeFor(place, "");
  if (row === undefined || finish === undefined) return false;
  const seen = { ...end, ref: row.ref };
  const where = { watchedIn: row.lane, finishLane: finish.lane, watcher: null };
  const ended = await recordEnds(db, [endOf(row, seen, row.service)], where);
  return ended.length === 1;
}
