// Deadlines: none is moved or forgotten, nothing ends by one before its time, and what has passed one ends soon.

import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { DEADLINES, type DeadlineRows } from "./actions.sql.ts";
import type { Commit, CommitCheck } from "./commit-check.ts";
import type { Counts } from "./counts.ts";
import { Violation } from "./violation.ts";

/** A look a second, by whoever is there; a write that was overtaken is repeated with the next. */
const SOON_MS = 15_000;

export class DeadlineChecks implements CommitCheck {
  readonly #counts: Counts;
  readonly #clock: () => number;
  readonly #isHealed: () => boolean;
  #known = new Map<string, number>();
  /** Since when, by nobody's clock but the simulation's, each is known to have passed its deadline with nobody disturbed. */
  readonly #overdue = new Map<string, number>();
  /** Passed by a clock that was set since: whoever looked before that may still end them. */
  readonly #passed = new Set<string>();
  /** Begun anew by hand, which takes the deadline away. */
  readonly #reopened = new Set<string>();

  constructor(counts: Counts, clock: () => number, isHealed: () => boolean) {
    this.#counts = counts;
    this.#clock = clock;
    this.#isHealed = isHealed;
  }

  check(commit: Commit): void {
    const { next, read } = commit;
    const { deadlines, now } = read<DeadlineRows>(DEADLINES);
    const known = new Map(deadlines);
    for (const [, item, , , kind, , , , , , code] of next.journal) {
      if (item === null) continue;
      if (kind === JOURNAL_KIND.retried || kind === JOURNAL_KIND.replayed) this.#reopened.add(item);
      if (kind === JOURNAL_KIND.fault && code === "DEADLINE") this.#checkEnd(item, now);
    }
    const live = new Set(next.runs.map(([id]) => id));
    for (const [item, at] of this.#known) {
      if (!live.has(item) || this.#reopened.has(item)) continue;
      if (known.get(item) !== at)
        throw new Violation("deadlines", `the deadline of item ${item} was ${at} and is ${known.get(item)}`);
    }
    this.#checkInherited(commit, known);
    this.#known = known;
    this.#checkOverdue(now);
  }

  /** The database's clock is about to be set; it shows this. */
  clockSet(now: number): void {
    for (const [item, at] of this.#known) if (at <= now) this.#passed.add(item);
  }

  #checkEnd(item: string, now: number): void {
    const at = this.#known.get(item);
    if (at === undefined || (at > now && !this.#passed.has(item)))
      throw new Violation("deadlines", `item ${item} ended by its deadline ${at}, and it is ${now}`);
    this.#counts.add("checked: deadlines");
  }

  /** What was spawned has no longer than what spawned it; what a pipeline gives to all, all have. */
  #checkInherited({ next, before, pipelineOf }: Commit, known: ReadonlyMap<string, number>): void {
    const requests = new Map(next.requests.map((one) => [one[0], one]));
    const old = new Set(before.runs.map(([id]) => id));
    for (const [item, request] of next.runs) {
      if (old.has(item) || this.#reopened.has(item)) continue;
      const [, parent = null, key = null] = requests.get(request) ?? [];
      const most = parent === null ? undefined : known.get(parent);
      const own = known.get(item);
      if (most !== undefined && (own === undefined || own > most))
        throw new Violation(
          "deadlines",
          `item ${item} may last until ${own}, and ${parent}, whose it is, until ${most}`,
        );
      if (most !== undefined) this.#counts.add("checked: deadlines of children");
      // What was copied by hand has none.
      if (pipelineOf(item)?.pipeline === "small" && own === undefined && key?.startsWith("replay of ") !== true)
        throw new Violation("deadlines", `item ${item} has no deadline, and its pipeline has one`);
    }
  }

  /** Also between commits: where nothing is written, nothing ends. */
  checkSoon(): void {
    for (const [item, since] of this.#overdue)
      if (this.#isHealed() && this.#clock() - since > SOON_MS)
        throw new Violation(
          "deadlines",
          `item ${item} has passed its deadline ${Math.round(this.#clock() - since)} ms ago`,
        );
  }

  #checkOverdue(now: number): void {
    for (const item of this.#overdue.keys()) if (!this.#known.has(item)) this.#overdue.delete(item);
    for (const [item, at] of this.#known)
      if (at > now || !this.#isHealed()) this.#overdue.delete(item);
      else if (!this.#overdue.has(item)) this.#overdue.set(item, this.#clock());
    this.checkSoon();
  }
}
