// One run of retention: a bounded amount of work, then somebody's next turn goes on from where this one stopped.

import type { Database } from "../db/database.ts";
import { readLimits } from "./policy.sql.ts";
import { noteObstacles } from "./removal.sql.ts";
import { type WalkedRow, walkRequests } from "./remove.sql.ts";
import { removeRequests } from "./remove.ts";
import { forgetSundries } from "./sundries.sql.ts";
import { readWalk, saveWalk, type Walk } from "./walk.sql.ts";
import { dropOldWeeks, thinRest } from "./weeks.ts";

/** Requests looked at by one statement. */
const PAGE = 500;
const PAGES = 20;
/** Items removed in one transaction, unless a single request has more. */
const ITEMS = 2_000;
const HOUR_MS = 3_600_000;
/** Those that are kept for long are met in every round, so rounds are not made all the time. */
const REST_MS = HOUR_MS;
const JUMP_MS = 48 * HOUR_MS;
const HELD_MS = 24 * HOUR_MS;

export interface RetentionRun {
  readonly requests: number;
  readonly items: number;
  readonly weeks: readonly string[];
}

export async function runRetention(db: Database): Promise<RetentionRun> {
  const { nowMs, walk } = await readWalk(db);
  const heldUntil = heldUntilAt(nowMs, walk);
  if (heldUntil > nowMs) {
    await saveWalk(db, { ...walk, ranAt: nowMs, heldUntil });
    return { requests: 0, items: 0, weeks: [] };
  }
  const limits = await readLimits(db);
  await forgetSundries(db, limits);
  const walked = await walkOn(db, walk, nowMs);
  // After the requests: what went with them need not be carried forward.
  const weeks = await dropOldWeeks(db, limits.history, walk.week);
  await saveWalk(db, {
    request: walked.request,
    restUntil: walked.restUntil,
    week: weeks.place,
    rest: await thinRest(db, limits.history, walk.rest),
    ranAt: nowMs,
    heldUntil: 0,
  });
  return { requests: walked.removed, items: walked.items, weeks: weeks.dropped };
}

/**
 * A clock that jumped years ahead must not end what is kept for years. After a gap of two days nothing is removed for one:
 * time for somebody to notice, and no loss where the engine was merely off. Back again, the wait is over at once.
 */
export function heldUntilAt(nowMs: number, walk: Pick<Walk, "ranAt" | "heldUntil">): number {
  const { ranAt, heldUntil } = walk;
  if (ranAt !== null && nowMs - ranAt > JUMP_MS) return nowMs + HELD_MS;
  return heldUntil > nowMs + HELD_MS ? 0 : heldUntil;
}

interface Walked {
  readonly request: string;
  readonly restUntil: number;
  readonly removed: number;
  readonly items: number;
}

async function walkOn(db: Database, walk: Walk, nowMs: number): Promise<Walked> {
  let { request } = walk;
  let removed = 0;
  let items = 0;
  // A clock that was set back would make the rest a long one.
  if (walk.restUntil > nowMs && walk.restUntil <= nowMs + REST_MS) {
    return { request, restUntil: walk.restUntil, removed, items };
  }
  for (let page = 0; page < PAGES; page += 1) {
    const rows = await walkRequests(db, request, PAGE);
    for (const batch of batches(rows.filter((row) => row.is_over))) {
      const outcome = await removeRequests(db, batch);
      await noteObstacles(db, outcome.held);
      removed += outcome.removed.length;
      items += outcome.items;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE || last.is_young) {
      return { request: "0", restUntil: nowMs + REST_MS, removed, items };
    }
    request = last.id;
  }
  return { request, restUntil: 0, removed, items };
}

/** Few enough items for one transaction. */
function batches(rows: readonly WalkedRow[]): string[][] {
  const found: string[][] = [];
  let room = 0;
  for (const { id, items } of rows) {
    if (room < items) {
      found.push([]);
      room = ITEMS;
    }
    found.at(-1)?.push(id);
    room -= items;
  }
  return found;
}
