// Time that a test owns, for JavaScript and SQL alike. It moves in jumps: a jump over six hours wakes a sleeping loop
// once, not twenty thousand times.

import type { Clock } from "../../kit/index.ts";
import type { Queryable, Statement } from "../db/database.ts";

interface Sleeper {
  readonly deadline: number;
  readonly wake: () => void;
}

const SET_TIME: Statement = { name: "set-time", text: `select set_config('sluice.now', $1, false)` };

const FOLLOW_SETTING: Statement = {
  name: "follow-setting",
  text: `
create or replace function sluice.now() returns timestamptz language sql stable
as 'select to_timestamp(current_setting(''sluice.now'')::float8)'`,
};

export class VirtualClock implements Clock {
  readonly #db: Queryable;
  readonly #startedAt: number;
  readonly #asleep = new Set<Sleeper>();
  #elapsed = 0;

  private constructor(db: Queryable, startedAt: number) {
    this.#db = db;
    this.#startedAt = startedAt;
  }

  /** Takes over `sluice.now()` of this session. */
  static async over(db: Queryable, start: Date): Promise<VirtualClock> {
    const clock = new VirtualClock(db, start.getTime());
    await db.query(FOLLOW_SETTING, []);
    await clock.jump(0);
    return clock;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  now(): Date {
    return new Date(this.#startedAt + this.#elapsed);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const sleeper: Sleeper = {
        deadline: this.#elapsed + Math.max(0, ms),
        wake: () => {
          this.#asleep.delete(sleeper);
          signal?.removeEventListener("abort", sleeper.wake);
          resolve();
        },
      };
      this.#asleep.add(sleeper);
      signal?.addEventListener("abort", sleeper.wake);
    });
  }

  /** Moves on at once and wakes everybody whose time has come. */
  async jump(ms: number): Promise<void> {
    this.#elapsed += ms;
    await this.#db.query(SET_TIME, [String((this.#startedAt + this.#elapsed) / 1000)]);
    for (const sleeper of [...this.#asleep]) if (sleeper.deadline <= this.#elapsed) sleeper.wake();
  }
}
