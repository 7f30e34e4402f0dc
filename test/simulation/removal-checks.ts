// What is removed, by hand or by age: only what was meant, all of it, and nothing while something hangs on it.

import { REMOVAL, type RemovalRows } from "./actions.sql.ts";
import type { Commit, CommitCheck } from "./commit-check.ts";
import type { Counts } from "./counts.ts";
import type { Snapshot } from "./snapshot.sql.ts";
import { Violation } from "./violation.ts";

const SOON_MS = 3_600_000;

type Age = RemovalRows["ages"][number];

export class RemovalChecks implements CommitCheck {
  readonly #counts: Counts;
  #ages = new Map<string, Age>();
  readonly #asked = new Set<string>();
  /** The request of every item there ever was, and the item of every request that belongs to one. */
  readonly #requestOf = new Map<string, string>();
  readonly #parentOf = new Map<string, string>();
  /** Items that are gone because somebody asked for it. */
  readonly gone = new Set<string>();
  readonly #aged = new Set<string>();
  /** Requests that were asked to be removed and are still there. */
  pending: readonly string[] = [];

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /** Whether somebody asked to have it removed, or that to which it belongs. */
  isAsked(request: string): boolean {
    if (this.#asked.has(request)) return true;
    const above = this.#requestOf.get(this.#parentOf.get(request) ?? "");
    return above !== undefined && this.isAsked(above);
  }

  isItemAsked(item: string): boolean {
    const request = this.#requestOf.get(item);
    return request !== undefined && this.isAsked(request);
  }

  /** Asked for, or removed when its time had come. */
  mayBeGone(item: string): boolean {
    return this.isItemAsked(item) || this.#aged.has(item);
  }

  /** Items that have ended and whose time will come soon; those that clean up are kept for weeks. */
  get aging(): string[] {
    return [...this.#ages.values()].filter(([, , , , keep]) => keep !== null && keep <= SOON_MS).map(([id]) => id);
  }

  check({ next, read }: Commit): void {
    const { ages, asked, cancelled, now } = read<RemovalRows>(REMOVAL);
    for (const request of asked) this.#asked.add(request);
    for (const [item, request] of ages) this.#requestOf.set(item, request);
    for (const [request, parent] of next.requests) if (parent !== null) this.#parentOf.set(request, parent);
    const there = new Map(ages.map((age) => [age[0], age]));
    for (const [item, age] of this.#ages) if (!there.has(item)) this.#checkGone(age, now);
    for (const item of cancelled)
      if (!this.isItemAsked(item))
        throw new Violation("removal", `item ${item} was cancelled for a removal that nobody asked for`);
    checkWhole(next, there);
    this.#ages = there;
    this.pending = asked;
  }

  #checkGone([item, request, state, finished, keep]: Age, now: number): void {
    if (state === 0) throw new Violation("removal", `item ${item} was removed while it lived`);
    if (this.isAsked(request)) {
      this.gone.add(item);
      this.#counts.add("checked: removal");
    } else if (keep !== null && finished !== null && finished + keep <= now) {
      this.#aged.add(item);
      this.#counts.add("checked: retention");
    } else
      throw new Violation(
        "removal",
        `item ${item} is gone, nobody asked for it, and it ended ${finished} (now ${now})`,
      );
  }
}

/** Nothing is left of which the rest is gone. */
function checkWhole(next: Snapshot, items: ReadonlyMap<string, unknown>): void {
  const requests = new Set(next.requests.map(([id]) => id));
  for (const [id, request] of next.items)
    if (!requests.has(request))
      throw new Violation("removal", `item ${id} is there, and its request ${request} is not`);
  for (const [id, parent] of next.requests)
    if (parent !== null && !items.has(parent))
      throw new Violation("removal", `request ${id} belongs to item ${parent}, which is gone`);
  for (const [key, item, , , , isOver] of next.intents)
    if (!isOver && !items.has(item))
      throw new Violation("removal", `${key} may exist outside, and item ${item} is gone`);
  for (const [run, kind, key] of next.waiters)
    if (kind === "item" && !items.has(key))
      throw new Violation("removal", `item ${run} waits for ${key}, which is gone`);
  for (const [key, request] of next.keys)
    if (!requests.has(request))
      throw new Violation("removal", `the key ${key} is taken by request ${request}, which is gone`);
}
