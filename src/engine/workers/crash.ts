// Counts a crash of a suspect's child. Tried until the database answers: an item that is let go of without an answer
// would stay leased to a worker that lives and has forgotten it.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { recordCrash } from "../items/crash.sql.ts";
import { MESSAGE_BYTES } from "../pipeline/fault.ts";
import type { Held } from "./held.ts";
import { untilAnswered } from "./until-answered.ts";

interface CrashPorts {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  epoch(): string;
}

/** Resolves when it is counted, or no longer ours to count. The fence makes a repeat after a lost reply harmless. */
export async function countCrash(held: Held, how: string, ports: CrashPorts, isOurs: () => boolean): Promise<void> {
  const { db, clock, log } = ports;
  const epoch = ports.epoch();
  const fence = { id: held.row.id, version: held.version };
  const facts = { how: safeText(how, MESSAGE_BYTES), tookMs: Math.round(clock.monotonic() - held.beganAt) };
  await untilAnswered(
    () => recordCrash(db, fence, epoch, facts),
    clock,
    isOurs,
    (error) => log.warn("crash.uncounted", { item: held.row.id, error: safeText(error, 300) }),
  );
}
