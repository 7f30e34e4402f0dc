// What the engine does by itself, each a named step: find dead workers, take back what they held, end what has run out of
// time, end waits whose reason is gone, answer overdue questions, remove what is to be removed, and do what is due in turn.
// Each step is idempotent and cheap when there is nothing to do.

import {
  type Clock,
  insistentLoop,
  type Loop,
  loop,
  type Random,
  type Service,
  safeText,
  together,
} from "../../kit/index.ts";
import { stirWaitCycle } from "../items/wait-cycle.sql.ts";
import { answerOverdue, type WokenRow, wakeFollowers, wakeJoined, wakeSignalled } from "../items/wake.sql.ts";
import { expireOverdue } from "../operate/expire.ts";
import { removeDue } from "../retention/removal.ts";
import { CHORES } from "./chores.ts";
import { oweCleanups } from "./cleanup.ts";
import { takeDuty } from "./duty.sql.ts";
import type { Observer } from "./observer.ts";
import type { Registry } from "./registry.ts";
import { findDead, type TakeBackPorts, takeBack } from "./take-back.ts";

export interface SweeperPorts extends TakeBackPorts {
  readonly clock: Clock;
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
/** How often a process asks whether something is due that everybody does in turn, once a minute or less. */
const CHORES_EVERY_MS = 20_000;
export class Sweeper {
  readonly #ports: SweeperPorts;
  readonly #waits: Loop;
  readonly #services: Service;

  constructor(ports: SweeperPorts) {
    this.#ports = ports;
    const failed = (error: unknown) => ports.log.warn("sweep.failed", { error: safeText(error, 300) });
    const sweeping = insistentLoop(ports.clock, LOOK_EVERY_MS, () => this.#sweep(), failed);
    this.#waits = loop(ports.clock, WAITS_EVERY_MS, () => this.#endWaits(), failed);
    const chores = loop(ports.clock, CHORES_EVERY_MS, () => this.#doChores(), failed);
    this.#services = together([sweeping, this.#waits, chores]);
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
    await findDead(this.#ports, this.#ports.epoch());
    if (await takeBack(this.#ports)) this.#ports.moved();
    if ((await expireOverdue(this.#ports.db)) > 0) {
      this.#ports.moved();
      this.waitsChanged();
    }
    if ((await oweCleanups(this.#ports)) > 0) this.#ports.moved();
    await removeDue(this.#ports.db);
  }

  async #doChores(): Promise<void> {
    const { db, epoch } = this.#ports;
    for (const { name, everyMs, work } of CHORES) {
      if (await takeDuty(db, name, everyMs, epoch())) await work(this.#ports);
    }
  }

  /** Every process does it: it costs five look-ups in small tables, and a wait must not hang on a process that died. */
  async #endWaits(): Promise<void> {
    const { db } = this.#ports;
    const woken: WokenRow[] = [];
    woken.push(...(await wakeSignalled(db, null)), ...(await wakeJoined(db)), ...(await wakeFollowers(db)));
    woken.push(...(await answerOverdue(db)), ...(await stirWaitCycle(db)));
    if (woken.length > 0) this.#ports.moved();
  }
}
