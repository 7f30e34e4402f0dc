// What the service has under keys of ours, held against what we know. A job that goes on and that no item owns is owed: it is
// what a crash left behind, or a database restored from before it was started. (The other way round, an item whose job
// vanished, is what every look finds.)

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type Orphan, oweOrphans, unownedKeys } from "../items/intent.sql.ts";
import type { Listed } from "../pipeline/outside.ts";
import { keyPrefix } from "./idempotency-key.ts";
import { inTime } from "./in-time.ts";
import type { Place } from "./registry.ts";

export interface ReconcilePorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly installation: string;
  call<Result>(service: string, work: (client: unknown) => Promise<Result>): Promise<Result>;
}

const EVERY_MS = 300_000;
const LIST_LONGEST_MS = 120_000;
const LISTED_MOST = 100_000;

export class Reconciler {
  readonly #ports: ReconcilePorts;
  readonly #doneAt = new Map<number, number>();
  /** Found once. A start may be under way whose intent is written and whose row is not: only twice in a row counts. */
  readonly #suspected = new Map<number, ReadonlySet<string>>();

  constructor(ports: ReconcilePorts) {
    this.#ports = ports;
  }

  /** Where it is time for it. */
  async now(place: Place | undefined): Promise<void> {
    const list = place?.stage.outside?.list;
    if (place === undefined || list === undefined) return;
    const { clock, log, call } = this.#ports;
    // Twice soon after taking over, then now and then.
    const isSuspicious = (this.#suspected.get(place.lane)?.size ?? 0) > 0;
    const every = isSuspicious || !this.#suspected.has(place.lane) ? EVERY_MS / 10 : EVERY_MS;
    if (clock.monotonic() - (this.#doneAt.get(place.lane) ?? Number.NEGATIVE_INFINITY) < every) return;
    this.#doneAt.set(place.lane, clock.monotonic());
    try {
      const prefix = keyPrefix(this.#ports.installation);
      const listed = await call(place.service, (client) =>
        inTime(clock, "a list", LIST_LONGEST_MS, list(client, prefix)),
      );
      await this.#compare(place, ours(listed, prefix));
    } catch (error) {
      log.warn("reconcile.failed", { service: place.service, error: safeText(error, 300) });
    }
  }

  async #compare(place: Place, alive: readonly Orphan[]): Promise<void> {
    const { db, log } = this.#ports;
    const unowned = new Set(
      await unownedKeys(
        db,
        alive.map((one) => one.key),
      ),
    );
    const before = this.#suspected.get(place.lane) ?? new Set();
    const orphans = alive.filter((one) => unowned.has(one.key) && before.has(one.key));
    for (const { key } of orphans) unowned.delete(key);
    this.#suspected.set(place.lane, unowned);
    if (orphans.length === 0) return;
    log.warn("reconcile.orphans", { service: place.service, jobs: orphans.length });
    await oweOrphans(db, orphans, { service: place.service, pipeline: place.pipelineId, stage: place.index });
  }
}

/** Only what still goes on: a job that has ended may stay where it is. */
function ours(listed: readonly Listed[], prefix: string): Orphan[] {
  return listed
    .slice(0, LISTED_MOST)
    .filter(({ key, state }) => typeof key === "string" && key.startsWith(prefix) && isAlive(state))
    .map(({ key, ref }) => ({ key, ref }));
}

function isAlive(state: Listed["state"]): boolean {
  return state === "queued" || state === "running" || state === "paused";
}
