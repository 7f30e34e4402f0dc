// The beat: a counter in the worker's row, written every two seconds. Whoever sees it unchanged for long enough by its
// own clock may take this worker's items. In a real process it beats from a thread of its own, because code that blocks
// the event loop is alive all the same.

import { type Clock, type Logger, loop, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { beat, type Invitation, NO_INVITATION } from "./worker-row.sql.ts";

export const BEAT_EVERY_MS = 2_000;

export interface HeartListener {
  /** The database answered; this is the newest generation of the valves. */
  beaten(generation: string): void;
  /** Somebody marked this worker dead. It has to let go of everything and begin anew. */
  foundDead(): void;
  /** Asked before each beat: what this process may be handed until the next. None where it is too busy to answer. */
  invitation?(): Invitation | Promise<Invitation>;
}

export interface Heart {
  /** Beats for this epoch from now on. */
  start(epoch: string): Promise<void>;
  /** This process acts on the valves as of this generation; the next beat says so. */
  acknowledge(generation: string): void;
  /** Beats as soon as it can, without waiting for its turn. */
  hurry(): void;
  stop(): Promise<void>;
}

export interface HeartOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMs?: number;
  readonly listener: HeartListener;
  /** The server process behind the beat's own connection; lets others see at once that it is gone. */
  backendPid?(): Promise<number | null>;
}

export function inlineHeart(db: Queryable, options: HeartOptions): Heart {
  const { clock, log, listener } = options;
  let epoch: string | undefined;
  let acknowledged = "0";
  const step = async () => {
    if (epoch === undefined) return;
    const asked = epoch;
    const pid = (await options.backendPid?.()) ?? null;
    // Before the invitation is asked for: its lanes are open by these valves or by newer ones.
    const known = acknowledged;
    const invitation = (await listener.invitation?.()) ?? NO_INVITATION;
    const generation = await beat(db, asked, known, pid, invitation);
    // A newer life may have begun while we asked for the old one.
    if (asked !== epoch) return;
    if (generation !== null) return listener.beaten(generation);
    epoch = undefined;
    listener.foundDead();
  };
  const beats = loop(clock, options.everyMs ?? BEAT_EVERY_MS, step, (error) => {
    log.warn("beat.failed", { error: safeText(error, 300) });
  });
  return {
    async start(given) {
      epoch = given;
      await beats.start();
      beats.wake();
    },
    acknowledge(generation) {
      acknowledged = generation;
      beats.wake();
    },
    stop: () => beats.stop(),
    hurry: () => beats.wake(),
  };
}
