// A worker that is back after an end that was not orderly: how long it was away, and what became of what it had in hand.
//
// Its former life is the newest one of the same name that is over. What it held is read before anything is taken back, so it does
// not matter who does that. An item was resumed once somebody has begun it again, here or elsewhere, whatever came of that; with a
// checkpoint of its stage it continued from there. Work outside was never in hand, and is not counted.

import { type Clock, describeDuration } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type FormerRow, formerLives, type LeftItem, leftBehind, lifeState, stillStanding } from "./comeback.sql.ts";

export interface Comeback {
  readonly awayMs: number;
  /** Items in its hands when it ended. Null when others had taken them over before anybody could count. */
  readonly running: number | null;
  readonly resumed: number;
  readonly fromCheckpoint: number;
  /** Begun again by nobody yet. */
  readonly waiting: number;
}

export interface Former {
  readonly epoch: string;
  readonly state: number;
  readonly awayMs: number;
  readonly left: readonly LeftItem[];
}

/** More are not counted one by one. */
const COUNTED = 10_000;
const OVER = { left: 1, dead: 2 } as const;
const LOOK_MS = 100;

/** Before anything is taken back. Undefined for the first life of a name, and after an orderly end. */
export async function findFormer(
  db: Queryable,
  name: string,
  isGone: (life: FormerRow) => boolean,
): Promise<Former | undefined> {
  const lives = await formerLives(db, name);
  // One that may be alive is a namesake beside us, unless there is no other: then its silence will tell.
  const former = lives.find((life) => life.state !== 0 || isGone(life)) ?? lives[0];
  if (former === undefined || former.state === OVER.left) return undefined;
  const { epoch, state, away_ms: awayMs } = former;
  return { epoch, state, awayMs, left: await leftBehind(db, epoch, COUNTED) };
}

/** Waits until what was left is begun again, but no longer than that takes where all is well. Undefined for a namesake. */
export async function followUp(
  ports: { readonly db: Queryable; readonly clock: Clock },
  { epoch, state, awayMs, left }: Former,
  patienceMs: number,
  signal: AbortSignal,
): Promise<Comeback | undefined> {
  const { db, clock } = ports;
  let standing = new Set(left.map(({ id }) => id)) as ReadonlySet<string>;
  for (let waited = 0; waited <= patienceMs && !signal.aborted; waited += LOOK_MS) {
    const isOver = (await lifeState(db, epoch)) !== 0;
    standing = await stillStanding(db, left);
    if (isOver && standing.size === 0) break;
    await clock.sleep(LOOK_MS, signal);
  }
  if ((await lifeState(db, epoch)) === 0) return undefined;
  const wasTaken = state === OVER.dead && left.length === 0;
  const begun = left.filter(({ id }) => !standing.has(id));
  const fromCheckpoint = begun.filter((one) => one.has_checkpoint).length;
  return {
    awayMs,
    running: wasTaken ? null : left.length,
    resumed: begun.length - fromCheckpoint,
    fromCheckpoint,
    waiting: standing.size,
  };
}

/** "Back after 40 s. 7 items were running: 6 resumed, 1 continued from its checkpoint." */
export function comebackText({ awayMs, running, resumed, fromCheckpoint, waiting }: Comeback): string {
  const back = `Back after ${describeDuration(awayMs)}.`;
  if (running === null) return `${back} What had been running was taken over meanwhile.`;
  if (running === 0) return `${back} Nothing was running.`;
  const parts = [
    ...(resumed === 0 ? [] : [`${resumed} resumed`]),
    ...(fromCheckpoint === 0
      ? []
      : [`${fromCheckpoint} continued from ${fromCheckpoint === 1 ? "its checkpoint" : "their checkpoints"}`]),
    ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? "waits" : "wait"} to be begun again`]),
  ];
  return `${back} ${running === 1 ? "1 item was" : `${running} items were`} running: ${parts.join(", ")}.`;
}
