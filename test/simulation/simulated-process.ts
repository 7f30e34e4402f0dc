// A worker process: the real engine on the simulated database and clock. It can be killed, stopped and told to end, and
// never notices that it is not alone on a machine.

import type { Database } from "../../src/engine/db/database.ts";
import type { Finder } from "../../src/engine/pipeline/finder.ts";
import type { AnyPipeline } from "../../src/engine/pipeline/pipeline.ts";
import type { Schedule } from "../../src/engine/pipeline/schedule.ts";
import { Sluice } from "../../src/engine/sluice.ts";
import { inlineHeart } from "../../src/engine/workers/heart.ts";
import type { GivenClients } from "../../src/engine/workers/service-clients.ts";
import type { Suspects } from "../../src/engine/workers/suspects.ts";
import { visitStage } from "../../src/engine/workers/visit.ts";
import type { Clock, Logger } from "../../src/kit/index.ts";
import type { Dice } from "./dice.ts";
import type { Party } from "./scheduler.ts";

export interface Machine {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dice: Dice;
  readonly notify: boolean;
  /** Whether that process is known to have ended, to somebody on the same host. */
  isGone(host: string, pid: number): boolean;
  isHealed(): boolean;
  /** What it speaks to services with. */
  readonly services: GivenClients;
  readonly finders: readonly Finder[];
  readonly schedules: readonly Schedule[];
}

export class SimulatedProcess implements Party {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  alive = true;
  pausedUntil = 0;
  sluice: Sluice | undefined;
  /** Every epoch it entered under, the newest last. */
  readonly epochs: string[] = [];
  isStopping = false;
  readonly startsAtOnce: boolean;
  /** The pipelines it was started with, as name@version. */
  readonly code: ReadonlySet<string>;

  constructor(host: string, pid: number, startsAtOnce: boolean, code: ReadonlySet<string>) {
    this.code = code;
    this.startsAtOnce = startsAtOnce;
    this.host = host;
    this.pid = pid;
    this.name = `w${pid}@${host}`;
  }

  async start(machine: Machine, pipelines: readonly AnyPipeline[]): Promise<void> {
    const { db, clock, log, dice, notify, services, finders, schedules } = machine;
    this.sluice = await Sluice.start(
      {
        db,
        clock,
        random: dice.random,
        log,
        notify,
        services,
        finders,
        schedules,
        worker: {
          identity: { name: this.host, host: this.host, pid: this.pid, pidStarted: "1" },
          heart: (listener) => inlineHeart(db, { clock, log, listener }),
          isGone: (worker) => worker.host === this.host && machine.isGone(worker.host, worker.pid),
          suspects: this.#suspects(machine),
          deadAfterMs: 8_000,
          // Few, so that items wait for room; or as many as the benchmark has in hand.
          concurrency: dice.chance(0.1) ? 3_000 : dice.between(1, 6),
          pollMs: dice.pick([500, 1_000, 2_000, 4_000]),
          graceMs: dice.pick([0, 500, 2_000]),
        },
      },
      pipelines,
    );
  }

  /** Children that visit suspects are of this process here; some of them die, and this process sees it. */
  #suspects({ dice, clock, isHealed }: Machine): Suspects {
    return {
      async visit(held, ports) {
        if (isHealed() || !dice.chance(0.05)) return await visitStage(held, ports);
        await clock.sleep(dice.between(10, 800));
        return { crashed: "SIGSEGV" };
      },
      stop: async () => {},
    };
  }
}
