// One action on many items, found by what they have in common. What matches when it starts is fixed; any worker then does it
// in batches, whoever started it, and whoever dies meanwhile.

import {
  checkText,
  formatId,
  InputError,
  type ItemId,
  type OperationId,
  parseId,
  SluiceError,
} from "../../kit/index.ts";
import { persistently } from "../db/persistently.ts";
import { KEY_BYTES } from "../intake/limits.ts";
import type { ActPorts } from "./act.ts";
import { matchingPage } from "./bulk-filter.sql.ts";
import { type BulkFilter, checkFilter } from "./bulk-filter.ts";
import { checkAction } from "./check-action.ts";
import { checkActor } from "./checks.ts";
import { consider } from "./consider.ts";
import { KeysToTake } from "./keys-to-take.ts";
import { OUTCOME, startOperation, stopOperation } from "./operation.sql.ts";
import { findOperation, listOperations, type OperationRow, readResults } from "./operation-read.sql.ts";
import { type Action, ordered } from "./plan.ts";

export type { BulkFilter } from "./bulk-filter.ts";

export interface BulkPreview {
  readonly matched: number;
  readonly would: number;
  /** The first few of those. */
  readonly examples: readonly ItemId[];
  /** How many would be refused, by the reason. */
  readonly refused: { readonly [reason: string]: number };
}

export interface BulkOperation {
  readonly id: OperationId;
  readonly state: "running" | "finished" | "stopped";
  readonly action: Action;
  readonly by: string;
  readonly total: number;
  readonly counts: Readonly<Record<"done" | "refused" | "failed" | "stopped" | "open", number>>;
  /** In percent. */
  readonly progress: number;
  /** Items a second, since it began. */
  readonly rate: number;
  readonly since: Date;
  readonly finishedAt: Date | null;
}

export type BulkOutcome = keyof typeof OUTCOME;

export interface BulkMember {
  readonly item: ItemId;
  readonly outcome: BulkOutcome;
  /** Why it was refused, or how it failed. */
  readonly reason: string | null;
  readonly copy: ItemId | null;
  readonly at: Date | null;
}

export interface BulkOptions {
  readonly by?: string;
  /** With an owner's rights alone, as for one item. */
  readonly asOwner?: string | undefined;
}

export interface BulkStart extends BulkOptions {
  readonly key?: string;
  /** What a preview matched. If more match by now, nothing is begun. */
  readonly expected?: number | undefined;
}

const MEMBERS_MOST = 1_000_000;
const PAGE = 1_000;
const PAGES = MEMBERS_MOST / PAGE;
const RESULTS_MOST = 1_000;
const EXAMPLES = 5;
const LARGEST_ID = String(2n ** 63n - 1n);
const OUTCOMES = Object.keys(OUTCOME) as BulkOutcome[]; // Object.keys forgets the key type of a constant

export class Bulk {
  readonly #ports: ActPorts;

  constructor(ports: ActPorts) {
    this.#ports = ports;
  }

  /** What it would come to now: nothing is written. Looks at all that matches, a page at a time. */
  async preview(given: Action, filter: BulkFilter, options: BulkOptions = {}): Promise<BulkPreview> {
    const action = ordered(checkAction(given), options.asOwner);
    const checked = checkFilter(filter);
    const actor = checkActor(options.by ?? "api");
    const refused = new Map<string, number>();
    const keys = new KeysToTake();
    const sum = { matched: 0, would: 0 };
    const examples: ItemId[] = [];
    let after = "0";
    for (let page = 0; page < PAGES; page += 1) {
      const items = await matchingPage(this.#ports.db, checked, after, PAGE);
      for (const { facts, plan } of await consider(this.#ports, action, items, actor)) {
        sum.matched += 1;
        const refusal = "refusal" in plan ? plan.refusal : keys.whyNot(facts, plan.change);
        if (refusal === undefined) {
          sum.would += 1;
          if (examples.length < EXAMPLES) examples.push(formatId("item", facts.id));
        } else refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
      }
      after = items.at(-1) ?? after;
      if (items.length < PAGE) break;
    }
    return { ...sum, examples, refused: Object.fromEntries(refused) };
  }

  /** Fixes what matches and has it done. With a key, the same call again answers with the operation that is there. */
  async start(given: Action, filter: BulkFilter, options: BulkStart = {}): Promise<OperationId> {
    const expected = checkExpected(options.expected);
    const operation = {
      action: ordered(checkAction(given), options.asOwner),
      filter: checkFilter(filter),
      actor: checkActor(options.by ?? "api"),
      key: checkKey(options.key),
      limit: MEMBERS_MOST + 1,
    };
    const started = await persistently(() =>
      this.#ports.db.transaction(async (tx) => {
        const made = await startOperation(tx, operation);
        // Thrown, so that nothing of it stays.
        if (made !== undefined && made.total > MEMBERS_MOST)
          throw new InputError("filter", `more than ${MEMBERS_MOST} items match; name more of what is meant`);
        if (made !== undefined && made.total > expected) throw moreThan(expected, made.total);
        return made;
      }),
    );
    const there = started ?? (await this.#find({ key: operation.key ?? "" }));
    return formatId("operation", there.id);
  }

  /** To an actor that is named, another's is not there. */
  async get(id: OperationId, { of }: { readonly of?: string | undefined } = {}): Promise<BulkOperation> {
    return toOperation(await this.#find({ id: parseId("operation", id, "operation") }, of));
  }

  /** Newest first; of one actor where one is named. */
  async list(
    options: { readonly before?: OperationId; readonly limit?: number; readonly of?: string | undefined } = {},
  ): Promise<BulkOperation[]> {
    const { before, limit = 100, of } = options;
    const from = before === undefined ? LARGEST_ID : parseId("operation", before, "before");
    return (await listOperations(this.#ports.db, from, checkLimit(limit), of)).map(toOperation);
  }

  /** What has not begun is left alone, and marked so. A batch under way is finished first. */
  async stop(
    id: OperationId,
    options: { readonly by?: string } = {},
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }> {
    const operation = parseId("operation", id, "operation");
    const actor = checkActor(options.by ?? "api");
    const isDone = await persistently(() => this.#ports.db.transaction((tx) => stopOperation(tx, operation, actor)));
    return isDone ? { ok: true } : { ok: false, reason: "it is over already, or does not exist" };
  }

  /** What came of each, in the order of items; give the last one's item as `after` for the next page. */
  async results(
    id: OperationId,
    options: { readonly after?: ItemId; readonly outcome?: BulkOutcome; readonly limit?: number } = {},
  ): Promise<BulkMember[]> {
    const { after, outcome, limit = RESULTS_MOST } = options;
    if (outcome !== undefined && !OUTCOMES.includes(outcome))
      throw new InputError("outcome", `outcome is one of ${OUTCOMES.join(", ")}`);
    const page = {
      after: after === undefined ? "0" : parseId("item", after, "after"),
      outcome: outcome === undefined ? null : OUTCOME[outcome],
      limit: checkLimit(limit),
    };
    const rows = await readResults(this.#ports.db, parseId("operation", id, "operation"), page);
    return rows.map((row) => ({
      item: formatId("item", row.item_id),
      outcome: OUTCOMES.find((name) => OUTCOME[name] === row.outcome) ?? "open",
      reason: row.reason,
      copy: row.copy_id === null ? null : formatId("item", row.copy_id),
      at: row.at,
    }));
  }

  async #find(by: { readonly id: string } | { readonly key: string }, of?: string): Promise<OperationRow> {
    const row = await findOperation(this.#ports.db, by, of);
    if (row === undefined) throw new SluiceError("NOT_FOUND", "there is no such operation", { field: "operation" });
    return row;
  }
}

function toOperation(row: OperationRow): BulkOperation {
  const { asOwner: _, ...action } = row.action;
  const { total, done, refused, failed, stopped, took_ms } = row;
  const closed = done + refused + failed + stopped;
  const state = row.finished_at === null ? "running" : row.stopped_at === null ? "finished" : "stopped";
  return {
    id: formatId("operation", row.id),
    state,
    action,
    by: row.actor,
    total,
    counts: { done, refused, failed, stopped, open: total - closed },
    progress: total === 0 ? 100 : (closed / total) * 100,
    rate: took_ms > 0 ? ((closed - stopped) / took_ms) * 1000 : 0,
    since: row.started_at,
    finishedAt: row.finished_at,
  };
}

function checkKey(key: string | undefined): string | null {
  return key === undefined ? null : checkText(key, "key", KEY_BYTES);
}

function checkExpected(expected: number = MEMBERS_MOST): number {
  if (!Number.isInteger(expected) || expected < 0 || expected > MEMBERS_MOST)
    throw new InputError(
      "expected",
      `expected is a whole number from 0 to ${MEMBERS_MOST}: what a preview matched; got ${String(expected)}`,
    );
  return expected;
}

function moreThan(expected: number, total: number): SluiceError {
  const match = total === 1 ? "1 item matches" : `${total} items match`;
  return new SluiceError("REFUSED", `${match} by now, not ${expected} as expected; nothing was begun`, {
    field: "expected",
  });
}

function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > RESULTS_MOST)
    throw new InputError("limit", `limit is a whole number from 1 to ${RESULTS_MOST}, got ${String(limit)}`);
  return limit;
}
