// One of all servers follows the feed and does something with every event, from where the last one stopped. The place is stored
// after the event was dealt with: an orderly stop repeats and leaves out nothing, after a crash the events of the last second come again.

import { FeedResetError, type Logger, type Sluice, type SluiceEvent } from "../../engine/index.ts";
import { type Clock, type Loop, loop, type Service, safeText } from "../../kit/index.ts";
import { holdDuty, letGoOfDuty } from "../duty/duty.sql.ts";
import { readSettings, settingAge } from "../settings/setting.sql.ts";
import { savePlace } from "./place.sql.ts";

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
  /** When the duty was last asked for and given. */
  #heldAt = Number.NEGATIVE_INFINITY;

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
    if (!(await this.#hold())) return;
    const over = new AbortController();
    const after = await this.#place(over);
    const keeper = this.#keep(over);
    try {
      await keeper.start();
      await this.#follow(after, over, AbortSignal.any([stopping, over.signal]));
    } finally {
      await keeper.stop();
      // Neither does anything where it is another's by now, who is further than we were.
      await this.#save(over);
      await letGoOfDuty(sluice.tables, name, holder);
    }
  }

  /** By the time it was asked for, not answered: others count from then. */
  async #hold(): Promise<boolean> {
    const { sluice, clock, name, holder } = this.#ports;
    const asked = clock.monotonic();
    const isHeld = await holdDuty(sluice.tables, name, holder, TERM_MS);
    if (isHeld) this.#heldAt = asked;
    return isHeld;
  }

  /** Whoever could not say for a term that they are still here are no longer the one, be it that they were paused. */
  #isOver(): boolean {
    return this.#ports.clock.monotonic() - this.#heldAt > TERM_MS;
  }

  async #follow(after: string, over: AbortController, signal: AbortSignal): Promise<void> {
    const { sluice, see, log, name } = this.#ports;
    try {
      for await (const event of sluice.feed({ after, signal, limit: PAGE, outputs: false })) {
        // Of a page that was read before a pause, another has dealt with the rest.
        if (this.#isOver()) over.abort();
        if (signal.aborted) return;
        await see(event);
        this.#seen = event.cursor;
      }
    } catch (error) {
      if (!(error instanceof FeedResetError)) throw error;
      // Older than the history that is kept, or from before a restore: what lies between cannot be told any more.
      log.warn(`${name}.gap`);
      this.#seen = await sluice.feedEnd();
    }
  }

  /** The first one ever begins with what happens from now on. */
  async #place(over: AbortController): Promise<string> {
    const { sluice, log, name, staleMs } = this.#ports;
    const stored = (await readSettings(sluice.tables, [this.#setting])).get(this.#setting);
    this.#saved = typeof stored === "string" ? stored : undefined;
    const isStale = staleMs !== undefined && (await settingAge(sluice.tables, this.#setting)) > staleMs;
    if (isStale) log.warn(`${name}.gap`);
    this.#seen = isStale ? undefined : this.#saved;
    this.#seen ??= await sluice.feedEnd();
    await this.#save(over);
    return this.#seen;
  }

  /** Says that we are still here, and how far we are. */
  #keep(over: AbortController): Loop {
    const { clock, name, log } = this.#ports;
    const keep = async (): Promise<void> => {
      if (this.#isOver()) return over.abort();
      const isDue = clock.monotonic() - this.#heldAt >= RENEW_MS;
      if (isDue && !(await this.#hold())) return over.abort();
      await this.#save(over);
    };
    return loop(clock, SAVE_MS, keep, (error) => {
      log.warn(`${name}.unsaved`, { error: safeText(error, 300) });
    });
  }

  async #save(over: AbortController): Promise<void> {
    const { sluice, clock, name: duty, holder } = this.#ports;
    const cursor = this.#seen;
    const now = clock.monotonic();
    if (cursor === undefined || (cursor === this.#saved && now - this.#savedAt < TOUCH_MS)) return;
    if (!(await savePlace(sluice.tables, { setting: this.#setting, cursor, duty, holder }))) return over.abort();
    this.#saved = cursor;
    this.#savedAt = now;
  }
}
