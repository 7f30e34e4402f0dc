// What other processes hand over to this one: with its beat it says how many items it may be handed that it did not ask for, and
// what is leased to it then comes with a notification. Who submitted has told nobody else, so what cannot be begun here is handed
// back at once; what never arrived is found as a stray.

import { type Logger, safeText } from "../../kit/index.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { type HandBackPorts, handBack } from "./hand-back.ts";
import { readLetter } from "./letter.ts";
import type { Places } from "./places.ts";
import type { Registry } from "./registry.ts";
import { type Invitation, NO_INVITATION } from "./worker-row.sql.ts";

/** What one process may be handed unasked until it beats again. Were it to hang just then, they would wait for it. */
const ITEMS_MOST = 16;
/** Of what was given up, as long as its letter may still come. */
const GIVEN_UP_MOST = 1_000;

export interface LetterboxPorts extends HandBackPorts {
  readonly log: Logger;
  readonly registry: Pick<Registry, "place">;
  epoch(): string;
  /** In which nothing may wait that comes before what is handed over. */
  servedLanes(): readonly number[];
  /** How many notifications have come; undefined where none can come now. */
  heard(): number | undefined;
  /** How many of them are in hand then. */
  begin(rows: readonly ClaimedRow[]): Promise<number>;
  /** Most of what was invited has come. */
  usedUp(): void;
  /** A place is free that somebody may have looked for in vain. */
  wake(): void;
}

export class Letterbox {
  readonly #ports: LetterboxPorts;
  readonly #places: Places;
  readonly #underWay = new Set<Promise<void>>();
  readonly #arriving = new Set<string>();
  readonly #givenUp = new Set<string>();
  #isOpen = false;
  #isOver = false;
  #invited = 0;
  #came = 0;
  #silentSince = -1;

  constructor(ports: LetterboxPorts, places: Places) {
    this.#ports = ports;
    this.#places = places;
  }

  /** Under this epoch it takes what comes. */
  open(): void {
    this.#isOpen = true;
  }

  /** The life that invited is over: whoever marked it dead takes back what still comes. */
  close(): void {
    this.#isOpen = false;
  }

  /** Nobody is invited any more; what comes all the same is handed back. */
  stop(): void {
    this.#isOver = true;
  }

  /** Half of the room at most: the rest is for what is claimed. */
  invitation(): Invitation {
    const { heard, servedLanes } = this.#ports;
    const told = heard();
    // After a letter that was lost, only once something was heard: a connection can be dead without anybody being told.
    const isDeaf = told === undefined || told <= this.#silentSince;
    this.#came = 0;
    this.#invited = this.#places.promise(!this.#isOpen || this.#isOver || isDeaf ? 0 : ITEMS_MOST);
    return this.#invited === 0 ? NO_INVITATION : { items: this.#invited, lanes: servedLanes() };
  }

  /** False where it is no letter. */
  receive(text: string): boolean {
    const letter = readLetter(text);
    if (letter === undefined) return false;
    if (letter.epoch === this.#ports.epoch() && this.#isOpen) this.#take(letter.rows);
    return true;
  }

  /** It is handed back as a stray: should its letter come after all, nothing is begun. False while it is being begun. */
  giveUp(id: string): boolean {
    if (this.#arriving.has(id)) return false;
    this.#silentSince = this.#ports.heard() ?? this.#silentSince;
    this.#givenUp.add(id);
    const [oldest] = this.#givenUp;
    if (this.#givenUp.size > GIVEN_UP_MOST && oldest !== undefined) this.#givenUp.delete(oldest);
    return true;
  }

  /** Resolves when what has come until now is in hand, or will never be. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #take(all: readonly ClaimedRow[]): void {
    const { registry, usedUp } = this.#ports;
    const rows = all.filter(({ id }) => !this.#givenUp.has(id));
    const room = this.#isOver ? 0 : this.#places.freeForPromised;
    const taken = rows.filter(({ lane, stage }) => registry.place(lane, stage) !== undefined).slice(0, room);
    const others = rows.filter((row) => !taken.includes(row));
    this.#came += all.length;
    this.#places.fulfil(all.length);
    if (others.length > 0) this.#track(handBack(others, this.#ports));
    if (taken.length > 0) this.#track(this.#begin(taken));
    if (this.#came * 2 > this.#invited) usedUp();
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work);
    void work.then(() => this.#underWay.delete(work));
  }

  /** Never throws. */
  async #begin(rows: readonly ClaimedRow[]): Promise<void> {
    const { log, begin, wake } = this.#ports;
    const giveBack = this.#places.keep(rows.length);
    for (const { id } of rows) this.#arriving.add(id);
    let begun = 0;
    try {
      begun = await begin(rows);
    } catch (error) {
      log.warn("begin.failed", { items: rows.length, error: safeText(error, 300) });
    }
    for (const { id } of rows) this.#arriving.delete(id);
    giveBack();
    if (begun < rows.length) wake();
  }
}
