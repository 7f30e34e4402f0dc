// What the engine does by itself, each a named step: find dead workers, take back what they held, end waits whose reason
// is gone, answer overdue questions, keep partitions ahead. Each step is idempotent and cheap when there is nothing to do.

import {
  type Clock,
  type Logger,
  type Loop,
  loop,
  type Random,
  type Service,
  safeText,
  together,
} from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { ensurePartitions } from "../events/partition.sql.ts";
import { expireKeys } from "../intake/unique-key.sql.ts";
import { forgetIntents } from "../items/intent.sql.ts";
import { reclaim } from "../items/lease.sql.ts";
import { answerOverdue, type WokenRow, wakeFollowers, wakeJoined, wakeSignalled } from "../items/wake.sql.ts";
import { oweCleanups } from "./cleanup.ts";
import { takeDuty } from "./duty.sql.ts";
import type { Observer } from "./observer.ts";
import type { Registry } from "./registry.ts";
import { aliveWorkers, departedWorkers, markCleared, markDead } from "./worker-row.sql.ts";

export interface SweeperPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer: Observer;
  readonly random: Random;
  readonly registry: Registry;
  epoch(): string;
  /** Items became ready. */
  moved(): void;
}

const LOOK_EVERY_MS = 1_000;
/** What a lost hint costs those who wait. */
const WAITS_EVERY_MS = 5_000;
const RECLAIM_ROUNDS = 1_000;

export class Sweeper {
  readonly #ports: SweeperPorts;
  readonly #waits: Loop;
  readonly #services: Service;

  constructor(ports: SweeperPorts) {
    this.#ports = ports;
    const failed = (error: unknown) => ports.log.warn("sweep.failed", { error: safeText(error, 300) });
    const sweeping = loop(ports.clock, LOOK_EVERY_MS, () => this.#sweep(), failed);
    this.#waits = loop(ports.clock, WAITS_EVERY_MS, () => this.#endWaits(), failed);
    this.#services = together([sweeping, this.#waits]);
  }

  /** Look for waits that are over, soon: not once for each of a batch. */
  waitsChanged(): void {
    this.#waits.wake();
  }

  start(): Promise<void> {
    return this.#services.start();
  }

  stop(): Promise<void> {
    return this.#services.stop();
  }

  async #sweep(): Promise<void> {
    const { db, epoch } = this.#ports;
    await this.#findDead();
    await this.#takeBack();
    if ((await oweCleanups(this.#ports)) > 0) this.#ports.moved();
    if (await takeDuty(db, "forget-intents", 3_600_000, epoch())) await forgetIntents(db);
    if (await takeDuty(db, "partitions", 3_600_000, epoch())) await ensurePartitions(db);
    if (await takeDuty(db, "expire-keys", 60_000, epoch())) await expireKeys(db);
  }

  async #findDead(): Promise<void> {
    const { db, observer, epoch, log } = this.#ports;
    const alive = await aliveWorkers(db).catch((error: unknown) => {
      observer.interrupted();
      throw error;
    });
    for (const worker of observer.judge(alive, epoch())) {
      if (await markDead(db, worker.epoch, worker.beat))
        log.warn("worker.dead", { worker: worker.name, epoch: worker.epoch });
    }
  }

  async #takeBack(): Promise<void> {
    const { db, log } = this.#ports;
    for (const { epoch, holds } of await departedWorkers(db)) {
      if (!holds) {
        await markCleared(db, epoch);
        continue;
      }
      let taken = 0;
      for (let round = 0; round < RECLAIM_ROUNDS; round += 1) {
        const batch = await reclaim(db, epoch);
        if (batch === 0) break;
        taken += batch;
      }
      if (taken === 0) continue;
      log.warn("items.reclaimed", { epoch, items: taken });
      this.#ports.moved();
    }
  }

  /** Every process does it: it costs four look-ups in small tables, and a wait must not hang on a process that died. */
  async #endWaits(): Promise<void> {
    const { db } = this.#ports;
    const woken: WokenRow[] = [];
    woken.push(...(await wakeSignalled(db, null)), ...(await wakeJoined(db)), ...(await wakeFollowers(db)));
    woken.push(...(await answerOverdue(db)));
    if (woken.length > 0) this.#ports.moved();
  }
}
