// What running visits note, stored before they end: for whoever looks on, and for the case that the process is killed. All
// visits with news in one statement, once a second at most. It is done on the side: nothing waits for it, what fails is tried
// again, and the settlement stores the whole in any case.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { addLogs, type NewLog } from "../items/visit-log.sql.ts";
import type { Held } from "./held.ts";
import type { VisitLog } from "./visit-log.ts";

export const EVERY_MS = 1_000;
/**
 * What a visit may write on and on. Appending costs a line only once, but a visit that says a page every second for a day
 * would still write gigabytes that nobody reads, for of all that the newest 64 KiB are kept. So who wrote much rests long:
 * a full log for half a minute. What it says meanwhile is written then, as far as it is still there.
 */
const BYTES_PER_SECOND = 2 * 1024;
/** Of all visits together: a thousand of them must not make a statement of 64 MB. */
const BATCH_BYTES = 1024 * 1024;
const AFTER_FAILURE_MS = 5_000;

/** How long a visit rests that wrote so much. */
export function restAfter(bytes: number): number {
  return Math.max(EVERY_MS, Math.ceil((bytes * 1_000) / BYTES_PER_SECOND));
}

/** A visit that is over within the second is stored once, with its settlement. */
export function isDue(log: VisitLog, beganAt: number, now: number): boolean {
  return log.count > log.written && now >= beganAt + EVERY_MS && now >= log.restsUntil;
}

/** As it is stored: what came after the first so many lines. */
export function newLog(held: Held, log: VisitLog, after: number): NewLog {
  const { row, version, place, attempts, beganAt } = held;
  const { lines } = log.since(after);
  const visit = { item: row.id, version, stage: place.index, attempt: attempts + 1, beganAt };
  return { ...visit, first: log.count - lines.length, dropped: log.dropped, lines: `[${lines.join()}]` };
}

interface Ports {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  epoch(): string;
}

interface Piece {
  readonly held: Held;
  readonly log: VisitLog;
  readonly row: NewLog;
  readonly count: number;
  readonly bytes: number;
}

export class RunningNotes {
  readonly #ports: Ports;
  /** Visits with news. */
  readonly #noted = new Set<Held>();
  readonly #over = new AbortController();
  #isGoing = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  noted(held: Held): void {
    this.#noted.add(held);
    if (!this.#isGoing) void this.#go();
  }

  /** It is settled, with all it noted, or no longer ours. */
  forget(held: Held): void {
    this.#noted.delete(held);
  }

  stop(): void {
    this.#over.abort();
  }

  /** At once, whoever rests: there is no later. Never rejects. */
  async writeNow(visits: readonly Held[]): Promise<void> {
    const pieces = visits.flatMap((held) => pieceOf(held) ?? []);
    if (pieces.length > 0) await this.#write(pieces);
  }

  /** As long as there is news, and no timer while there is none. */
  async #go(): Promise<void> {
    const { clock } = this.#ports;
    this.#isGoing = true;
    for (; this.#noted.size > 0 && !this.#over.signal.aborted; ) {
      await clock.sleep(EVERY_MS, this.#over.signal);
      const pieces = this.#due(clock.monotonic());
      if (pieces.length > 0) await this.#write(pieces);
    }
    this.#isGoing = false;
  }

  #due(now: number): Piece[] {
    const due: Piece[] = [];
    let bytes = 0;
    for (const held of this.#noted) {
      if (held.log === undefined || !isDue(held.log, held.beganAt, now)) continue;
      const piece = pieceOf(held);
      if (piece === undefined) continue;
      bytes += piece.bytes;
      if (due.length > 0 && bytes > BATCH_BYTES) break;
      due.push(piece);
    }
    return due;
  }

  async #write(pieces: readonly Piece[]): Promise<void> {
    const { db, clock, log, epoch } = this.#ports;
    for (const piece of pieces) piece.log.isBegun = true;
    const sentAt = clock.monotonic();
    try {
      await addLogs(
        db,
        pieces.map((one) => one.row),
        { epoch: epoch(), sentAt },
      );
      for (const piece of pieces) this.#written(piece);
    } catch (error) {
      log.warn("notes.unwritten", { visits: pieces.length, error: safeText(error, 300) });
      for (const piece of pieces) piece.log.restsUntil = clock.monotonic() + AFTER_FAILURE_MS;
    }
  }

  #written({ held, log, count, bytes }: Piece): void {
    log.written = count;
    log.restsUntil = this.#ports.clock.monotonic() + restAfter(bytes);
    // Others come first next time; and whoever has said nothing since is not asked again.
    if (!this.#noted.delete(held)) return;
    if (held.log !== undefined && held.log.count > held.log.written) this.#noted.add(held);
  }
}

function pieceOf(held: Held): Piece | undefined {
  const { log } = held;
  if (log === undefined || log.count === log.written) return undefined;
  const row = newLog(held, log, log.written);
  return { held, log, row, count: log.count, bytes: Buffer.byteLength(row.lines) };
}
