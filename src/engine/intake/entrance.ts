// Where submissions enter that need nothing but their rows. The first is written at once; those that come meanwhile go
// together with the next statement, because a commit costs more than the rows of a hundred small requests. One that cannot be
// stored takes no other with it. A few go by a shorter statement, and tell other processes with their commit where nothing was
// told just now: somebody may be waiting for them.

import type { Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { classifyDatabaseError } from "../db/errors.ts";
import { persistently } from "../db/persistently.ts";
import { LETTER_BYTES } from "../workers/notify.sql.ts";
import { asksNobody, type Reception } from "../workers/reception.ts";
import type { WakeUp } from "../workers/wake-up.ts";
import { type Inserted, insertAll, insertPlain, type Telling } from "./insert.ts";
import type { Submission, Submitted } from "./submission.ts";

/** Statements under way; and as many as there may be while what fills one waits: a part of each is waiting for the disk. */
const WRITERS = 2;
const WRITERS_OF_WHOLE = 3;
/** Of one statement; a larger submission goes alone. */
const ITEMS_TOGETHER = 1_000;
const LETTERS_TOGETHER = 4_000_000;
/** More of them would pay for what is said only once in the longer statement. */
const FEW = 32;

export interface EntrancePorts {
  readonly db: Database;
  readonly random: Random;
  readonly wakeUp: Pick<WakeUp, "takeEdge" | "moved" | "movedSoon" | "movedHere">;
  /** Where this process works itself. */
  reception(): Pick<Reception, "keep"> | undefined;
}

interface Waiting {
  readonly submission: Submission;
  readonly items: number;
  readonly letters: number;
  resolve(made: Submitted): void;
  reject(error: unknown): void;
}

export class Entrance {
  readonly #ports: EntrancePorts;
  #waiting: Waiting[] = [];
  #itemsWaiting = 0;
  #writing = 0;

  constructor(ports: EntrancePorts) {
    this.#ports = ports;
  }

  /** Resolves when it is stored. */
  store(submission: Submission): Promise<Submitted> {
    return new Promise((resolve, reject) => {
      const letters = submission.inputs.reduce((sum, input) => sum + input.length, 0);
      this.#waiting.push({ submission, items: submission.inputs.length, letters, resolve, reject });
      this.#itemsWaiting += submission.inputs.length;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#writing < this.#mostWriters()) {
      this.#writing += 1;
      // After the current microtasks, so that those handed in together travel together.
      void Promise.resolve().then(() => this.#writeNext());
    }
  }

  /** Where less waits than a statement carries, more statements would only be smaller ones. */
  #mostWriters(): number {
    return this.#itemsWaiting < ITEMS_TOGETHER ? WRITERS : WRITERS_OF_WHOLE;
  }

  async #writeNext(): Promise<void> {
    // Those that began together with this one have taken theirs by now.
    const batch = this.#writing > this.#mostWriters() ? [] : this.#nextBatch();
    if (batch.length > 0) await this.#write(batch);
    this.#writing -= 1;
    this.#pump();
  }

  /** In the order they came. */
  #nextBatch(): Waiting[] {
    let items = 0;
    let letters = 0;
    const beyond = this.#waiting.findIndex((one, index) => {
      items += one.items;
      letters += one.letters;
      return index > 0 && (items > ITEMS_TOGETHER || letters > LETTERS_TOGETHER);
    });
    const batch = this.#waiting.splice(0, beyond < 0 ? this.#waiting.length : beyond);
    this.#itemsWaiting -= batch.reduce((sum, one) => sum + one.items, 0);
    return batch;
  }

  /** Never throws. */
  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const made = await this.#insert(batch);
      for (const [index, one] of batch.entries()) one.resolve(made[index] as Submitted); // as many as were asked for
    } catch (error) {
      // Nothing was stored because of one of them: which, shows when each goes alone. Anything else concerns them all, and
      // after a lost connection nobody knows whether they are stored.
      if (batch.length > 1 && classifyDatabaseError(error) === "data")
        for (const one of batch) await this.#write([one]);
      else for (const one of batch) one.reject(error);
    }
  }

  async #insert(batch: readonly Waiting[]): Promise<Inserted[]> {
    const { db, random, wakeUp } = this.#ports;
    const submissions = batch.map((one) => one.submission);
    const count = batch.reduce((sum, one) => sum + one.items, 0);
    if (count <= FEW) return await this.#insertFew(submissions, count);
    const made = await persistently(() => insertAll(db, submissions, random));
    wakeUp.moved();
    return made;
  }

  /** What this process can begin at once is handed over to it; others hear of the rest, or are handed it with the same statement. */
  async #insertFew(submissions: readonly Submission[], count: number): Promise<Inserted[]> {
    const { db, random, wakeUp, reception } = this.#ports;
    const arriving = submissions.flatMap((one) => one.inputs.map(() => one));
    const kept = reception()?.keep(arriving);
    const tells = kept?.chosen.size !== count && wakeUp.takeEdge();
    const isLetter = tells && kept === undefined && fitsLetter(submissions);
    const telling: Telling = isLetter ? "whoever invites" : tells ? "all" : "nobody";
    const write = () => insertPlain(db, submissions, random, telling, kept);
    const { made, handedOver } = await persistently(write).catch((error: unknown) => {
      void kept?.answered([]);
      throw error;
    });
    void kept?.answered(handedOver);
    if (tells) wakeUp.movedHere();
    else if (handedOver.length === count) wakeUp.movedSoon();
    else wakeUp.moved();
    return made;
  }
}

/** Only what a claim would take at once, and what has room in a notification. */
function fitsLetter(submissions: readonly Submission[]): boolean {
  const letters = submissions.reduce((sum, { inputs }) => inputs.reduce((all, one) => all + one.length, sum), 0);
  return letters < LETTER_BYTES && submissions.every(({ first, delayMs }) => delayMs === 0 && asksNobody(first));
}
