// Leases that nobody here knows of: the claim committed, or the submission that was handed over, and its reply was lost. The
// worker lives, so nobody else would ever take them back.

import type { Clock, Logger } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { heldBy, release } from "../items/lease.sql.ts";
import type { Hands } from "./hands.ts";

export interface StrayPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  epoch(): string;
  moved(): void;
  /** Resolves when every submission that is under way is in hand, or will never be. */
  received(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;

export class Strays {
  readonly #ports: StrayPorts;
  readonly #hands: Hands;
  readonly #most: number;
  #lookedAt: number;

  constructor(ports: StrayPorts, hands: Hands, concurrency: number) {
    this.#ports = ports;
    this.#hands = hands;
    // Twice what can be in hand: strays come on top of it.
    this.#most = concurrency * 2;
    this.#lookedAt = ports.clock.monotonic();
  }

  /** Only while no claim is under way: what it brings would look the same. */
  async releaseNowAndThen(): Promise<void> {
    const { db, clock, epoch, log, moved, received } = this.#ports;
    if (clock.monotonic() - this.#lookedAt < LOOK_EVERY_MS) return;
    const holder = epoch();
    const leased = await heldBy(db, holder, this.#most);
    // What was leased by the statement that stored it is in hand when that is answered, and was perhaps not yet.
    await received();
    const strays = leased.filter((one) => !this.#hands.hasItem(one.id));
    this.#lookedAt = clock.monotonic();
    if (strays.length === 0) return;
    log.warn("items.stray", { items: strays.length });
    await release(db, strays, holder);
    moved();
  }
}
