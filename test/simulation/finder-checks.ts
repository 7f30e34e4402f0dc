// What finders enter: each entity once, however many look; and the mark of how far they came never before what was entered.

import { FINDERS, type FinderRows } from "./actions.sql.ts";
import type { Commit, CommitCheck } from "./commit-check.ts";
import type { Counts } from "./counts.ts";
import { type Entities, entityKey } from "./entities.ts";
import type { RemovalChecks } from "./removal-checks.ts";
import { Violation } from "./violation.ts";

export class FinderChecks implements CommitCheck {
  readonly #entities: Entities;
  readonly #counts: Counts;
  readonly #removal: RemovalChecks | undefined;
  /** The requests that each key ever had. */
  readonly #entered = new Map<string, Set<string>>();

  constructor(entities: Entities, counts: Counts, removal: RemovalChecks | undefined) {
    this.#entities = entities;
    this.#counts = counts;
    this.#removal = removal;
  }

  check({ next, read }: Commit): void {
    for (const [id, , key] of next.requests) if (key?.startsWith("entity:") === true) this.#enter(key, id);
    for (const [name, after] of read<FinderRows>(FINDERS).finders) {
      if (after === null) continue;
      const overlooked = this.#missing().find((serial) => serial <= after);
      if (overlooked !== undefined)
        throw new Violation("finders", `finder ${name} is at ${after}, and ${overlooked} was not entered`);
      if (after > 0) this.#counts.add("checked: finders");
    }
  }

  #enter(key: string, request: string): void {
    const known = this.#entered.get(key) ?? new Set();
    if (known.has(request)) return;
    // What somebody had removed may be found again.
    const others = [...known].filter((one) => this.#removal?.isAsked(one) !== true);
    if (others.length > 0)
      throw new Violation("finders", `${key} was entered as request ${request}, and before as ${others.join(", ")}`);
    this.#entered.set(key, known.add(request));
    this.#counts.add("found");
  }

  #missing(): number[] {
    return this.#entities.after(0, this.#entities.count).filter((serial) => !this.#entered.has(entityKey(serial)));
  }

  get hasFoundAll(): boolean {
    return this.#missing().length === 0;
  }
}
