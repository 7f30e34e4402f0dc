// One of all servers follows the feed and does something with every event, from where the last one stopped. The place is stored
// after the event was dealt with: an orderly stop repeats and leaves out nothing, after a crash the events of the last second come again.

import { FeedResetError, type Logger, type Sluice, type SluiceEvent } from "../../engine/index.ts";
import { type Clock, type Loop, loop, type Service, safeText } from "../../kit/index.ts";
import { holdDuty, letGoOfDuty } from "../duty/duty.sql.ts";
import { readSettings, settingAge, writeSetting } from "../settings/setting.sql.ts";

export interface FollowPorts {
  readonly sluice: Pick<Sluice, "feed" | "feedEnd" | "tables">;
  readonly log: Logger;
  readonly clock: Clock;
  /** Of the duty and of the stored place. */
  readonly name: string;
  /** A name that no other server has. */
  readonly holder: string;
  /** A place that nobody has kept up for longer is given up, and the end of the feed begun with. Without it: never. */
  readonly staleMs?: number | undefined;
  /** Throwing stops it here; it is tried again from the stored place. */
  see(event: SluiceEvent): Promise<void> | void;
}

/** Events read at once: small pages are most of the cost of following. */
const PAGE = 500;
const TERM_MS = 15_000;
const RENEW_MS = 5_000;
const SAVE_MS = 1_000;
/** So often a place is written that did not move, so that its age tells how long nobody followed. */
const TOUCH_MS = 600_000;
const ASK_MS = 2_000;

export class Follow implements Service {
  readonly #ports: FollowPorts;
  readonly #loop: Loop;
  readonly #setting: string;
  #seen: string | undefined;
  #saved: string | undefined;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: FollowPorts) {
    this.#ports = ports;
    this.#setting = `place.${ports.name}`;
    this.#loop = loop(
      ports.clock,
      ASK_MS,
      (stopping) => this.#whileHeld(stopping),
      (error) => ports.log.warn(`${ports.name}.interrupted`, { error: safeText(error, 300) }),
    );
  }

  async start(): Promise<void> {
    await this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async #whileHeld(stopping: AbortSignal): Promise<void> {
    const { sluice, name, holder } = this.#ports;
    if (!(await holdDuty(sluice.tables, name, holder, TERM_MS))) return;
    const after = await this.#place();
    const over = new AbortController();
    const keeper = this.#keep(over);
    try {
      await keeper.start();
      await this.#follow(after, AbortSignal.any([stopping, over.signal]));
    } finally {
      await keeper.stop();
      // Otherwise it is another's by now, who is further than we were.
      if (!over.signal.aborted) {
        await this.#save();
        await letGoOfDuty(sluice.tables, name, holder);
      }
    }
  }

  async #follow(after: string, signal: AbortSignal): Promise<void> {
    const { sluice, see, log, name } = this.#ports;
    try {
      for await (const event of sluice.feed({ after, signal, limit: PAGE, outputs: false })) {
        await see(event);
        this.#seen = event.cursor;
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!(error instanceof FeedResetError)) throw error;
      // Older than the history that is kept, or from before a restore: what lies between cannot be told any more.
      log.warn(`${name}.gap`);
      this.#seen = await sluice.feedEnd();
    }
  }

  /** The first one ever begins with what happens from now on. */
  async #place(): Promise<string> {
    const { sluice, log, name, staleMs } = this.#ports;
    const stored = (await readSettings(sluice.tables, [this.#setting])).get(this.#setting);
    this.#saved = typeof stored === "string" ? stored : undefined;
    const isStale = staleMs !== undefined && (await settingAge(sluice.tables, this.#setting)) > staleMs;
    if (isStale) log.warn(`${name}.gap`);
    this.#seen = isStale ? undefined : this.#saved;
    this.#seen ??= await sluice.feedEnd();
    await this.#save();
    return this.#seen;
  }

  /** Says that we are still here, and how far we are. Whoever could not say so for a term is no longer the one. */
  #keep(over: AbortController): Loop {
    const { sluice, clock, name, holder, log } = this.#ports;
    let heldAt = clock.monotonic();
    const keep = async (): Promise<void> => {
      const asked = clock.monotonic();
      if (asked - heldAt >= RENEW_MS) {
        if (!(await holdDuty(sluice.tables, name, holder, TERM_MS))) return over.abort();
        heldAt = asked;
      }
      await this.#save();
    };
    return loop(clock, SAVE_MS, keep, (error) => {
      if (clock.monotonic() - heldAt > TERM_MS) over.abort();
      log.warn(`${name}.unsaved`, { error: safeText(error, 300) });
    });
  }

  async #save(): Promise<void> {
    const { sluice, clock } = this.#ports;
    const seen = this.#seen;
    const now = clock.monotonic();
    if (seen === undefined || (seen === this.#saved && now - this.#savedAt < TOUCH_MS)) return;
    await writeSetting(sluice.tables, this.#setting, seen, "server");
    this.#saved = seen;
    this.#savedAt = now;
  }
}
