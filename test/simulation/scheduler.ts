// Who runs next. Everything that waits (for a statement's answer, for time, for an outside service) is parked here; the
// loop lets exactly one go on, waits until all is quiet again, and picks the next. Virtual time moves a little with every
// step, and jumps when nobody has anything to do.

import type { Clock } from "../../src/kit/index.ts";
import type { Dice } from "./dice.ts";

/** Somebody whose tasks live and die together: a worker process, the client, the world itself. */
export interface Party {
  readonly name: string;
  alive: boolean;
  /** Stopped by SIGSTOP until then. */
  pausedUntil: number;
}

export interface Task {
  readonly party: Party;
  readonly label: string;
  /** Whether it asks the database for something. */
  readonly isStatement: boolean;
  dueAt: number;
  /** False while it cannot go on whatever the time, such as a statement while another one's transaction is open. */
  readonly isFree: () => boolean;
  readonly go: () => void;
}

export class Scheduler {
  readonly #dice: Dice;
  readonly #stepMs: number;
  #tasks: Task[] = [];
  now = 0;

  constructor(dice: Dice, stepMs: number) {
    this.#dice = dice;
    this.#stepMs = stepMs;
  }

  park(party: Party, label: string, delayMs: number, go: () => void, isFree?: () => boolean): Task {
    const isStatement = isFree !== undefined;
    const task = { party, label, isStatement, dueAt: this.now + delayMs, isFree: isFree ?? (() => true), go };
    if (party.alive) this.#tasks.push(task);
    return task;
  }

  unpark(task: Task): void {
    const at = this.#tasks.indexOf(task);
    if (at >= 0) this.#tasks.splice(at, 1);
  }

  /** kill -9: nothing of it ever goes on. */
  forget(party: Party): void {
    this.#tasks = this.#tasks.filter((task) => task.party !== party);
  }

  has(test: (task: Task) => boolean): boolean {
    return this.#tasks.some(test);
  }

  /** Takes the next task out; moves time on to it where nobody is ready. Undefined when nothing is left at all. */
  next(): Task | undefined {
    this.now += this.#dice.fraction() * 2 * this.#stepMs;
    let ready = this.#ready();
    if (ready.length === 0) {
      const times = this.#tasks.filter((task) => task.isFree()).map(wakesAt);
      if (times.length === 0) return undefined;
      this.now = Math.max(this.now, Math.min(...times));
      ready = this.#ready();
    }
    const task = this.#dice.pick(ready);
    this.unpark(task);
    return task;
  }

  /** A statement of this party that could run now. */
  takeOf(party: Party): Task | undefined {
    const task = this.#tasks.find(
      (one) => one.party === party && one.isStatement && one.isFree() && wakesAt(one) <= this.now,
    );
    if (task !== undefined) this.unpark(task);
    return task;
  }

  #ready(): Task[] {
    return this.#tasks.filter((task) => task.isFree() && wakesAt(task) <= this.now);
  }

  /** Time as one party sees it. It goes on while the party is stopped. */
  clockOf(party: Party): Clock {
    return {
      monotonic: () => this.now,
      sleep: (ms, signal) =>
        new Promise<void>((resolve) => {
          if (signal?.aborted === true) return resolve();
          const wake = () => {
            this.unpark(task);
            signal?.removeEventListener("abort", wake);
            resolve();
          };
          const task = this.park(party, "wakes", Math.max(0, ms), wake);
          signal?.addEventListener("abort", wake);
        }),
    };
  }
}

function wakesAt(task: Task): number {
  return Math.max(task.dueAt, task.party.pausedUntil);
}

/** Lets everything that can go on without us do so. All of it is promises, so one turn of the event loop is enough. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
