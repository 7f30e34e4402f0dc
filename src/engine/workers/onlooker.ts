// What a process that does no work itself still does for the others: it finds workers that died, and frees what they held. Where
// the only worker was killed and a server stands beside it, nobody else would, and its items would be told to be in good hands.

import { type Clock, insistentLoop, type Logger, type Service, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { LIVENESS, Observer } from "./observer.ts";
import { findDead, takeBack } from "./take-back.ts";
import type { WorkerRow } from "./worker-row.sql.ts";

export interface OnlookerPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  isGone(worker: WorkerRow): boolean;
  /** Items became ready. */
  moved(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** Workers may be told to be more patient with each other, which this process cannot know. What is certain, is certain at once. */
const DEAD_AFTER_MS = 60_000;

export function onlooker(ports: OnlookerPorts): Service {
  const { db, clock, log } = ports;
  const observer = new Observer(clock, ports.isGone, { ...LIVENESS, deadAfterMs: DEAD_AFTER_MS });
  const look = async () => {
    await findDead({ db, log, observer, expectSuspects: () => undefined });
    if (await takeBack({ db, log })) await ports.moved();
  };
  const failed = (error: unknown) => log.warn("look.failed", { error: safeText(error, 300) });
  return insistentLoop(clock, LOOK_EVERY_MS, look, failed);
}
