// Operations over many items: every member is accounted for exactly once, whoever died over it.

import { OUTCOME } from "../../src/engine/operate/operation.sql.ts";
import { BULK, type BulkRows } from "./actions.sql.ts";
import type { Commit, CommitCheck } from "./commit-check.ts";
import type { Counts } from "./counts.ts";
import { Violation } from "./violation.ts";

export class BulkChecks implements CommitCheck {
  readonly #counts: Counts;
  /** What came of each member, as it was first written. */
  readonly #outcomes = new Map<string, number>();
  /** Operations that were seen half done. */
  readonly #halfDone = new Set<string>();
  /** Operations that are not over. */
  open: readonly string[] = [];

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  check({ read }: Commit): void {
    const { operations, members, acts } = read<BulkRows>(BULK);
    const byOperation = Map.groupBy(members, ([operation]) => operation);
    const acted = new Map(acts.map(([actor, item, times]) => [`${actor}/${item}`, times]));
    for (const operation of operations) {
      const its = byOperation.get(operation[0]) ?? [];
      this.#recount(operation, its);
      for (const member of its) this.#checkMember(operation, member, acted);
    }
    this.open = operations.filter((one) => !one[7]).map(([id]) => id);
  }

  #recount([id, , total, ...told]: BulkRows["operations"][number], members: BulkRows["members"]): void {
    const isFinished = told.pop() === true;
    const count = (outcome: number) => members.filter((one) => one[2] === outcome).length;
    const counted = [OUTCOME.done, OUTCOME.refused, OUTCOME.failed, OUTCOME.stopped].map(count);
    // Those of an old one are forgotten before it is itself.
    if (members.length === 0 && isFinished) return;
    if (members.length !== total || String(counted) !== String(told))
      throw new Violation(
        "bulk",
        `operation ${id} says ${[total, ...told]}, a recount ${[members.length, ...counted]}`,
      );
    const open = count(OUTCOME.open);
    if (isFinished !== (open === 0))
      throw new Violation("bulk", `operation ${id} has ${open} open, over: ${isFinished}`);
    if (open > 0 && open < total) this.#halfDone.add(id);
    if (isFinished && this.#halfDone.delete(id)) this.#counts.add("bulk: in several batches");
  }

  #checkMember(
    [, actor]: BulkRows["operations"][number],
    [operation, item, outcome, copy]: BulkRows["members"][number],
    acted: ReadonlyMap<string, number>,
  ): void {
    const times = acted.get(`${actor}/${item}`) ?? 0;
    if (times !== (outcome === OUTCOME.done ? 1 : 0))
      throw new Violation(
        "bulk",
        `operation ${operation} acted ${times} times on item ${item}, whose outcome is ${outcome}`,
      );
    if (outcome === OUTCOME.open) return;
    const key = `${operation}/${item}`;
    const was = this.#outcomes.get(key);
    if (was !== undefined && was !== outcome)
      throw new Violation("bulk", `what operation ${operation} did to item ${item} was ${was} and is ${outcome}`);
    if (was === undefined) this.#counts.add(outcome === OUTCOME.done ? "bulk: done" : "bulk: not done");
    if (was === undefined && copy !== null) this.#counts.add("bulk: copied");
    this.#outcomes.set(key, outcome);
    this.#counts.add("checked: bulk");
  }
}
