// Taking back what workers held that are no more. Anybody may do it, and several may at once.

import { type Logger, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { reclaim } from "../items/lease.sql.ts";
import { endLingering } from "./lingering.sql.ts";
import type { Observer } from "./observer.ts";
import { aliveWorkers, departedWorkers, markCleared, markDead, type WorkerRow } from "./worker-row.sql.ts";

export interface TakeBackPorts {
  readonly db: Database;
  readonly log: Logger;
  /** What was taken back is suspect, and some of it will be visited here. */
  expectSuspects(): void;
}

const RECLAIM_ROUNDS = 1_000;

/**
 * What a process takes over before anything else when it starts: most of all what it held itself before it was killed.
 * Registering, listening and beating take longer than this, and others may go on with it meanwhile.
 */
export async function takeOver(
  ports: TakeBackPorts & { moved(): Promise<void> },
  isGone: (worker: WorkerRow) => boolean,
): Promise<void> {
  try {
    const gone = (await aliveWorkers(ports.db)).filter(isGone);
    if (gone.length === 0) return;
    await buryAll(ports, gone);
    if (await takeBack(ports)) await ports.moved();
  } catch (error) {
    // The sweeper does all of it again.
    ports.log.warn("take-over.failed", { error: safeText(error, 300) });
  }
}

/** One look at the others; several in a row tell who is dead. */
export async function findDead(
  ports: TakeBackPorts & { readonly observer: Observer },
  ownEpoch?: string,
): Promise<void> {
  const alive = await aliveWorkers(ports.db).catch((error: unknown) => {
    ports.observer.interrupted();
    throw error;
  });
  await buryAll(ports, ports.observer.judge(alive, ownEpoch));
}

async function buryAll(ports: TakeBackPorts, dead: readonly WorkerRow[]): Promise<void> {
  // First of all: a child takes longer to start than all that follows.
  if (dead.length > 0) ports.expectSuspects();
  for (const worker of dead) {
    if (await markDead(ports.db, worker.epoch, worker.beat))
      ports.log.warn("worker.dead", { worker: worker.name, epoch: worker.epoch });
  }
}

/** True when something is ready that was not before. */
export async function takeBack({ db, log }: Pick<TakeBackPorts, "db" | "log">): Promise<boolean> {
  let hasMoved = false;
  for (const { epoch, holds } of await departedWorkers(db)) {
    if (!holds) {
      await markCleared(db, epoch);
      continue;
    }
    const ended = await endLingering(db, epoch);
    if (ended > 0) log.warn("sessions.ended", { epoch, sessions: ended });
    const taken = await reclaimAll(db, epoch);
    if (taken === 0) continue;
    log.warn("items.reclaimed", { epoch, items: taken });
    hasMoved = true;
  }
  return hasMoved;
}

async function reclaimAll(db: Database, epoch: string): Promise<number> {
  let taken = 0;
  for (let round = 0; round < RECLAIM_ROUNDS; round += 1) {
    const batch = await reclaim(db, epoch);
    if (batch === 0) break;
    taken += batch;
  }
  return taken;
}
