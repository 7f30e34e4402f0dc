// Leases that nobody here knows of: the claim committed, or the submission that was handed over, and its reply was lost, or the
// letter of another process. The worker lives, so nobody else would ever take them back.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type Fence, heldBy, release } from "../items/lease.sql.ts";
import type { Door } from "./door.ts";
import type { Hands } from "./hands.ts";

export interface StrayPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  epoch(): string;
  moved(): void;
  readonly door: Pick<Door, "settled" | "giveUp">;
}

const LOOK_EVERY_MS = 5_000;

export class Strays {
  readonly #ports: StrayPorts;
  readonly #hands: Hands;
  readonly #most: number;
  #lookedAt: number;
  #isReleasing = false;

  constructor(ports: StrayPorts, hands: Hands, concurrency: number) {
    this.#ports = ports;
    this.#hands = hands;
    // Twice what can be in hand: strays come on top of it.
    this.#most = concurrency * 2;
    this.#lookedAt = ports.clock.monotonic();
  }

  /** Only while no claim is under way: what it brings would look the same. */
  async releaseNowAndThen(): Promise<void> {
    const { db, clock, epoch } = this.#ports;
    if (this.#isReleasing || clock.monotonic() - this.#lookedAt < LOOK_EVERY_MS) return;
    const holder = epoch();
    const before = new Set(this.#hands.all().map((held) => held.row.id));
    const leased = await heldBy(db, holder, this.#most);
    this.#lookedAt = clock.monotonic();
    // What was settled since it was asked is in hand no more, and no stray.
    const unknown = leased.filter((one) => !before.has(one.id) && !this.#hands.hasItem(one.id));
    if (unknown.length > 0) void this.#release(unknown, holder);
  }

  /** On the side: who submits may have to wait for long, and claims must not. What is claimed meanwhile has another version. */
  async #release(unknown: readonly Fence[], holder: string): Promise<void> {
    const { db, log, moved, door } = this.#ports;
    this.#isReleasing = true;
    try {
      // What was leased by the statement that stored it is in hand when that is answered, and was perhaps not yet.
      await door.settled();
      const strays = unknown.filter((one) => !this.#hands.hasItem(one.id) && door.giveUp(one.id));
      if (strays.length === 0) return;
      log.warn("items.stray", { items: strays.length });
      await release(db, strays, holder);
      moved();
    } catch (error) {
      log.warn("strays.unreleased", { error: safeText(error, 300) });
    } finally {
      this.#isReleasing = false;
    }
  }
}
