// Somebody who reads the feed from the beginning, loses the connection now and then, and goes on from the last place.

import type { Queryable } from "../../src/engine/db/database.ts";
import { eventsAfter } from "../../src/engine/events/feed.sql.ts";
import type { Counts } from "./counts.ts";
import type { Dice } from "./dice.ts";
import { Violation } from "./violation.ts";

export class Subscriber {
  readonly #db: Queryable;
  readonly #dice: Dice;
  readonly #counts: Counts;
  readonly #seen = new Set<string>();
  #place = { xid: "0", seq: "0" };

  constructor(db: Queryable, dice: Dice, counts: Counts) {
    this.#db = db;
    this.#dice = dice;
    this.#counts = counts;
  }

  get count(): number {
    return this.#seen.size;
  }

  hasSeen(seq: string): boolean {
    return this.#seen.has(seq);
  }

  /** Reads one page; true when there was something. */
  async read(): Promise<boolean> {
    const all = { item: null, request: null, outputs: true };
    const rows = await eventsAfter(this.#db, this.#place, this.#dice.between(1, 60), all);
    let found = false;
    for (const row of rows) {
      if (row.xid === null || row.seq === null) continue;
      found = true;
      if (this.#seen.has(row.seq)) throw new Violation("feed", `event ${row.seq} was delivered twice`);
      this.#seen.add(row.seq);
      this.#place = { xid: row.xid, seq: row.seq };
      this.#counts.add("checked: feed");
    }
    return found;
  }
}
