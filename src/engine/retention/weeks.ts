// Old weeks of the journal: carry forward what is still wanted, then drop the rest with its table.

import type { Database } from "../db/database.ts";
import { isConflict } from "../db/persistently.ts";
import type { Position } from "../events/cursor.ts";
import { carryForward, countKept, dropWeek, forgetRest, oldWeeks } from "../events/old-partition.sql.ts";
import type { WeekPlace } from "./walk.sql.ts";

/** Rows looked at by one statement. It takes no lock that anybody else waits for. */
const ROWS = 5_000;
/** Statements of one run. */
const STEPS = 200;

export interface WeeksDone {
  readonly dropped: readonly string[];
  readonly carried: number;
  /** Where to go on next time, in a week that was not finished. */
  readonly place: WeekPlace | null;
}

/** Goes on from `from`, for a limited number of steps. */
export async function dropOldWeeks(db: Database, historyMs: number, from: WeekPlace | null): Promise<WeeksDone> {
  const weeks = await oldWeeks(db, historyMs);
  const dropped: string[] = [];
  let carried = 0;
  let steps = 0;
  for (const week of weeks) {
    let place = from?.week === week ? from : { week, xid: "0", seq: "0" };
    for (; steps < STEPS; steps += 1) {
      const found = await carryForward(db, week, place, ROWS);
      if (found === undefined) break;
      // After the first rows, and at the end with all of them.
      if (carried === 0 && found.carried > 0) await countKept(db);
      carried += found.carried;
      place = { week, xid: found.xid, seq: found.seq };
    }
    if (steps >= STEPS || !(await isDropped(db, place))) return await counted(db, { dropped, carried, place });
    dropped.push(week);
  }
  return await counted(db, { dropped, carried, place: null });
}

/** One step over what lies outside all weeks; answers where the next one begins. There is hardly ever anything. */
export async function thinRest(db: Database, historyMs: number, from: Position | null): Promise<Position | null> {
  const found = await forgetRest(db, historyMs, from ?? { xid: "0", seq: "0" }, ROWS);
  return found === undefined || found.seen < ROWS ? null : { xid: found.xid, seq: found.seq };
}

async function counted(db: Database, done: WeeksDone): Promise<WeeksDone> {
  if (done.carried > ROWS) await countKept(db);
  return done;
}

/** False when somebody was in the way; the next run tries again. */
async function isDropped(db: Database, place: WeekPlace): Promise<boolean> {
  try {
    return await dropWeek(db, place.week, place);
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
