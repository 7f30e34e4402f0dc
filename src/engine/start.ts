// From checked options to a running engine in a process of its own. Apart from `openSluice`, because that is loaded in
// children too.

import { type Clock, type Logger, systemClock, systemRandom } from "../kit/index.ts";
import { openDatabase } from "./db/open-database.ts";
import type { WorkerSetup } from "./engine-ports.ts";
import type { Around } from "./pipeline/around.ts";
import type { Finder } from "./pipeline/finder.ts";
import type { AnyPipeline } from "./pipeline/pipeline.ts";
import type { Schedule } from "./pipeline/schedule.ts";
import { type Former, findFormer } from "./read/comeback.ts";
import { type Limits, storeLimits } from "./retention/policy.sql.ts";
import { Sluice } from "./sluice.ts";
import { onlooker } from "./workers/onlooker.ts";
import { isGoneHere, keepHeapLean, osWorker, ownSessions } from "./workers/os/index.ts";
import type { GivenClients } from "./workers/service-clients.ts";
import { takeOver } from "./workers/take-back.ts";
import { announce } from "./workers/wake-up.ts";

export type WorkerLimits = Pick<WorkerSetup, "concurrency" | "deadAfterMs" | "pollMs" | "graceMs" | "stages"> & {
  readonly name: string | undefined;
};

export interface StartOptions {
  readonly pipelines: readonly AnyPipeline[];
  readonly services: GivenClients;
  readonly finders: readonly Finder[];
  readonly schedules: readonly Schedule[];
  readonly around: readonly Around[];
  readonly database: string;
  readonly pooled: boolean;
  readonly connections?: number | undefined;
  readonly allowDataLoss: boolean;
  readonly retention: Partial<Limits>;
  readonly log: Logger;
  /** Undefined for a process that only submits and asks. */
  readonly limits: WorkerLimits | undefined;
  /** Another one for measurements that last longer than anybody waits. */
  readonly clock?: Clock;
}

export async function startSluice(options: StartOptions): Promise<Sluice> {
  const { pipelines, services, finders, schedules, around, pooled, log, limits, clock = systemClock } = options;
  // First of all: the young generation grows with everything that comes after.
  if (limits !== undefined) keepHeapLean();
  const opened = await openDatabase({ ...options, applicationName: ownSessions() });
  const { db, url } = opened;
  const worker =
    limits === undefined
      ? undefined
      : { ...limits, ...osWorker({ name: limits.name, url, direct: !pooled, log, pipelines }) };
  try {
    let former: Former | undefined;
    const moved = async () => (pooled ? undefined : await announce(db));
    if (worker !== undefined) {
      former = await findFormer(db, worker.identity.name, worker.isGone);
      await takeOver({ db, log, moved, expectSuspects: () => worker.suspects.expect?.() }, worker.isGone);
    }
    if (Object.keys(options.retention).length > 0) await storeLimits(db, options.retention);
    const surroundings = { db, clock, random: systemRandom, log, notify: !pooled };
    const ports = { ...surroundings, services, finders, schedules, around, worker, former };
    if (worker !== undefined) return await Sluice.start(ports, pipelines, opened.close);
    const looks = onlooker({ db, clock, log, moved, isGone: isGoneHere() });
    const sluice = await Sluice.start(ports, pipelines, async () => {
      await looks.stop();
      await opened.close();
    });
    await looks.start();
    return sluice;
  } catch (error) {
    await worker?.suspects.stop();
    await opened.close();
    throw error;
  }
}
