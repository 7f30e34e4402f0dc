// Removing what somebody asked to have removed: cancel what is live, wait until nothing is owed outside, then let it go
// with everything it spawned. Each round goes as far as it can; the next one goes on.

import type { Database } from "../db/database.ts";
import { oweStaying } from "../items/intent.sql.ts";
import { cancelRequest } from "../operate/cancel.ts";
import { askChildren, letGo, noteObstacles, owedOf, takeRemovals } from "./removal.sql.ts";
import { removeRequests } from "./remove.ts";

/** Of what was spawned by what was spawned. */
const GENERATIONS = 100;

/** Answers with how many requests are gone. */
export async function removeDue(db: Database): Promise<number> {
  let gone = 0;
  for (const { request_id: request, asked_by: actor } of await takeRemovals(db)) {
    gone += await (actor === null ? removeHeld(db, request) : removeAsked(db, request, actor));
  }
  return gone;
}

/** Its time is over, and something held it: perhaps no longer. */
async function removeHeld(db: Database, request: string): Promise<number> {
  const { removed, held } = await removeRequests(db, [request]);
  if (held.size === 0) await letGo(db, request);
  await noteObstacles(db, held);
  return removed.length;
}

export async function removeAsked(db: Database, request: string, actor: string): Promise<number> {
  const generations = [[request]];
  for (let last = [request]; last.length > 0 && generations.length < GENERATIONS; ) {
    for (const one of last) await cancelRequest(db, one, actor);
    await oweStaying(db, last);
    // After its items have ended: from then on they spawn nothing more.
    last = await askChildren(db, last, actor);
    if (last.length > 0) generations.push(last);
  }
  const removed = new Set<string>();
  const held = new Map<string, string>();
  for (const generation of generations.reverse()) {
    const outcome = await removeRequests(db, generation);
    for (const one of outcome.removed) removed.add(one);
    for (const why of outcome.held.values()) held.set(request, why);
  }
  if (!removed.has(request)) await noteObstacles(db, held.size > 0 ? held : await whatIsLeft(db, request, generations));
  return removed.size;
}

async function whatIsLeft(
  db: Database,
  request: string,
  generations: readonly (readonly string[])[],
): Promise<ReadonlyMap<string, string>> {
  const owed = await owedOf(db, generations.flat());
  if (owed === 0) return new Map();
  const things = owed === 1 ? "one thing" : `${owed} things`;
  return new Map([[request, `${things} outside may still be there and must be removed first`]]);
}
