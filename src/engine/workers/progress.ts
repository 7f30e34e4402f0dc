// Progress as stages report it, written now and then: only the newest value of each item, all of them in one statement.

import type { Queryable } from "../db/database.ts";
import { saveProgress } from "../items/lease.sql.ts";
import type { Held } from "./held.ts";

export class ProgressReports {
  readonly #newest = new Map<Held, number>();

  report(held: Held, percent: number): void {
    this.#newest.set(held, percent);
  }

  forget(held: Held): void {
    this.#newest.delete(held);
  }

  async write(db: Queryable, epoch: string): Promise<void> {
    if (this.#newest.size === 0) return;
    const changes = [...this.#newest].map(([held, progress]) => ({ id: held.row.id, version: held.version, progress }));
    this.#newest.clear();
    await saveProgress(db, changes, epoch);
  }
}
