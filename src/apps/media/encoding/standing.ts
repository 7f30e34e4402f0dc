// How a job of the board stands, as the stage that supervises it sees it. Pure.

import { Fault, type Listed, type Seen } from "../../../engine/index.ts";
import type { StandingJobRow } from "./board.sql.ts";

export function seenJobs(keys: readonly string[], rows: readonly StandingJobRow[]): readonly Seen[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key) => seenJob(key, known.get(key)));
}

function seenJob(ref: string, row: StandingJobRow | undefined): Seen {
  if (row === undefined) return { ref, state: "missing" };
  const { state, outcome, fault } = row;
  if (state === "done") return { ref, state, progress: 100, output: outcome };
  if (state === "failed") return { ref, state, fault: faultOf(fault) };
  // Nobody is at it: no clock runs, however long that is.
  if (state === "waiting" || !row.is_online) return { ref, state: "queued" };
  const { marks = {}, percent = null } = row.report?.progress ?? {};
  return { ref, state: "running", marks: ofTurn(marks, row.turn), ...(percent === null ? {} : { progress: percent }) };
}

/** Another encoder begins at the first picture: what it does must not count for less because one was further before. */
function ofTurn(marks: Readonly<Record<string, number>>, turn: number): Readonly<Record<string, number>> {
  if (turn <= 1) return marks;
  return Object.fromEntries(Object.entries(marks).map(([name, value]) => [`${name}.${turn}`, value]));
}

function faultOf(failure: StandingJobRow["fault"]): Fault {
  const { kind, code, message } = failure ?? { kind: "transient", code: "FAILED", message: "it failed there" };
  return new Fault(kind, code, message, { service: "encoders", breaker: "none" });
}

const LISTED_AS = { waiting: "queued", given: "running", done: "done", failed: "failed" } as const;

export const listedJob = ({ key, state }: Pick<StandingJobRow, "key" | "state">): Listed => ({
  ...{ ref: key, key, state: LISTED_AS[state] },
});
