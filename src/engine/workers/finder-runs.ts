// Finders at work. Each is run by one process at a time, whoever finds it due first; one that dies is noticed by its beat, and
// one that is merely slow is refused when it comes with its page. A slow finder holds up no other.

import { type Clock, type Logger, type Loop, loop, type Random, type Service, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { isRefused } from "../db/errors.ts";
import { type EnteredPage, enterPage, type HeldFinder, type PageEnd, type Totals } from "../intake/enter-found.ts";
import { failFinder, type TakenFinder, takeFinders } from "../intake/finder.sql.ts";
import { type CheckedPage, findPage } from "../intake/found.ts";
import type { Placed, PlacedByName } from "../intake/recurring.ts";
import { backoffDelayMs } from "../pipeline/backoff.ts";
import { type Fault, MESSAGE_BYTES, toFault } from "../pipeline/fault.ts";
import type { Finder } from "../pipeline/finder.ts";

export interface FinderRunsPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly finders: PlacedByName<Finder>;
  epoch(): string;
  /** Items became ready. */
  moved(): void;
}

const LOOK_EVERY_MS = 1_000;
const FIRST_BACKOFF_MS = 60_000;
const LONGEST_BACKOFF_MS = 1_800_000;
/** A wait that the other side asks for is kept up to here; `take-finders` does not believe in longer ones. */
const LONGEST_WAIT_MS = 3_600_000;
const NOTHING: Totals = { found: 0, fresh: 0, known: 0 };

export class FinderRuns implements Service {
  readonly #ports: FinderRunsPorts;
  readonly #loop: Loop;
  readonly #under = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(ports: FinderRunsPorts) {
    this.#ports = ports;
    const failed = (error: unknown) => ports.log.warn("finders.failed", { error: safeText(error, 300) });
    this.#loop = loop(ports.clock, LOOK_EVERY_MS, () => this.#look(), failed);
  }

  async start(): Promise<void> {
    if (this.#ports.finders.size > 0) await this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
    await Promise.all(this.#under.values());
  }

  /** Begins what is due, and waits for none of it. */
  async #look(): Promise<void> {
    const { db, finders, epoch, log } = this.#ports;
    const idle = [...finders.keys()].filter((name) => !this.#under.has(name));
    if (idle.length === 0) return;
    for (const taken of await takeFinders(db, idle, epoch())) {
      const placed = finders.get(taken.name);
      if (placed === undefined) continue;
      const running = this.#run(placed, taken)
        .catch((error: unknown) => log.warn("finder.lost", { finder: taken.name, error: safeText(error, 300) }))
        .finally(() => this.#under.delete(taken.name));
      this.#under.set(taken.name, running);
    }
  }

  /** Page after page, while they are full and lead somewhere. */
  async #run({ what, first }: Placed<Finder>, taken: TakenFinder): Promise<void> {
    const { clock, db, random, log, moved } = this.#ports;
    let held: HeldFinder = taken;
    let totals = NOTHING;
    let { after, failures } = taken;
    for (;;) {
      let page: CheckedPage;
      let entered: EnteredPage | undefined;
      try {
        page = await findPage(what, first, after, { clock, stopping: this.#stopping.signal });
      } catch (error) {
        return await this.#failed(what, held, failures, toFault(error));
      }
      try {
        entered = await enterPage(db, held, page, random, totals, this.#endOf(what, page, after));
      } catch (error) {
        // With the database away nobody knows whether it was written; whoever takes it next reads how far it has come.
        if (!isRefused(error)) throw error;
        return await this.#failed(what, held, failures, toFault(error));
      }
      if (entered === undefined) return log.warn("finder.overtaken", { finder: what.name });
      if (entered.totals.fresh > totals.fresh) moved();
      if (!entered.goesOn) return log.info("finder.ran", { finder: what.name, ...entered.totals });
      if (page.after !== null) after = JSON.parse(page.after) as unknown;
      totals = entered.totals;
      failures = 0;
      held = { name: what.name, version: entered.version };
    }
  }

  #endOf(finder: Finder, page: CheckedPage, after: unknown): (fresh: number) => PageEnd {
    // A full page that is known and leads nowhere would be read for ever.
    const leads = page.after !== null && page.after !== JSON.stringify(after);
    return (fresh) => {
      const hasMore = page.found >= finder.limit && (fresh > 0 || leads);
      return { goesOn: hasMore && !this.#stopping.signal.aborted, dueInMs: hasMore ? 0 : finder.everyMs };
    };
  }

  async #failed(finder: Finder, held: HeldFinder, failures: number, fault: Fault): Promise<void> {
    // Told to stop is no failure. Whoever looks next finds its worker gone.
    if (this.#stopping.signal.aborted) return;
    const { db, random, log } = this.#ports;
    const { code, retryAfterMs } = fault;
    const message = safeText(fault.message, MESSAGE_BYTES);
    const rule = {
      baseMs: Math.min(finder.everyMs, FIRST_BACKOFF_MS),
      capMs: Math.max(finder.everyMs, LONGEST_BACKOFF_MS),
      jitterMs: 0,
      jitterShare: 0.1,
    };
    const backoff = backoffDelayMs(rule, failures + 1, random.fraction());
    const againInMs = retryAfterMs === undefined ? backoff : Math.min(retryAfterMs, LONGEST_WAIT_MS);
    log.warn("finder.failed", { finder: finder.name, kind: fault.kind, code, message, againInMs });
    await failFinder(db, held, { code, message }, againInMs);
  }
}
