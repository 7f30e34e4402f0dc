// When a torrent asks its trackers, and what it tells them.

import { safeText } from "../../../kit/index.ts";
import type { Announce, Announcement, PeerAddress } from "./trackers.ts";

export interface AnnouncerOptions {
  readonly trackers: readonly string[];
  readonly announce: Announce;
  readonly now: () => number;
  readonly facts: () => Omit<Announcement, "event">;
  readonly found: (peers: readonly PeerAddress[]) => void;
}

interface Schedule {
  dueMs: number;
  failures: number;
  hasStarted: boolean;
  isAsking: boolean;
  problem: string | null;
}

const SHORTEST_SEC = 5;
const LONGEST_SEC = 3_600;

export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #schedules: ReadonlyMap<string, Schedule>;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    const fresh = (): Schedule => ({ dueMs: 0, failures: 0, hasStarted: false, isAsking: false, problem: null });
    this.#schedules = new Map(options.trackers.map((tracker) => [tracker, fresh()]));
  }

  /** What is wrong, where no tracker answers. */
  get problem(): string | null {
    const all = [...this.#schedules.values()];
    const problem = all.find((one) => one.problem !== null)?.problem ?? null;
    return all.every((one) => one.problem !== null) ? problem : null;
  }

  tick(): void {
    for (const [tracker, schedule] of this.#schedules)
      if (!schedule.isAsking && this.#options.now() >= schedule.dueMs) void this.#ask(tracker, schedule, "none");
  }

  soon(): void {
    for (const schedule of this.#schedules.values()) schedule.dueMs = 0;
  }

  completed(): void {
    for (const [tracker, schedule] of this.#schedules)
      if (schedule.hasStarted) void this.#ask(tracker, schedule, "completed");
  }

  /** Said once and not insisted on: a tracker forgets by itself. */
  async stopped(signal: AbortSignal): Promise<void> {
    const known = [...this.#schedules].filter(([, schedule]) => schedule.hasStarted);
    await Promise.all(known.map(([tracker, schedule]) => this.#ask(tracker, schedule, "stopped", signal)));
    for (const [, schedule] of known) schedule.hasStarted = false;
    this.soon();
  }

  async #ask(tracker: string, schedule: Schedule, event: Announcement["event"], signal?: AbortSignal): Promise<void> {
    const { announce, facts, found, now } = this.#options;
    schedule.isAsking = true;
    try {
      const what = event === "none" && !schedule.hasStarted ? "started" : event;
      const answer = await announce(tracker, { ...facts(), event: what }, signal);
      const seconds = Math.min(LONGEST_SEC, Math.max(SHORTEST_SEC, answer.intervalSec));
      Object.assign(schedule, { hasStarted: true, failures: 0, problem: null, dueMs: now() + seconds * 1_000 });
      if (event !== "stopped") found(answer.peers);
    } catch (error) {
      schedule.failures += 1;
      schedule.dueMs = now() + Math.min(1_800, 10 * 2 ** Math.min(schedule.failures, 8)) * 1_000;
      schedule.problem = safeText(error, 200);
    } finally {
      schedule.isAsking = false;
    }
  }
}
