// A schedule moves on and its run is handed in, or neither.

import type { Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { moveSchedule, type ScheduleMove } from "./schedule.sql.ts";
import type { Submission } from "./submission.ts";
import { submit } from "./submit.ts";

/** False when somebody else made it, or it was paused or changed meanwhile. */
export async function makeRun(
  db: Database,
  seen: { readonly name: string; readonly version: string },
  move: ScheduleMove,
  submission: Submission | null,
  random: Random,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    if (!(await moveSchedule(tx, seen, move))) return false;
    if (submission !== null) await submit(db, submission, random, tx);
    return true;
  });
}
