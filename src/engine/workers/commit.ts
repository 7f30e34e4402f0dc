// A stage's own writes, joined to the engine's transaction.

import { formatId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { classifyDatabaseError } from "../db/errors.ts";
import { JOURNAL_KIND } from "../items/codes.ts";
import { CommitError } from "./commit-error.ts";
import type { Entry } from "./settler.ts";

export function hasCommit(entry: Entry): boolean {
  const { place, row } = entry.held;
  // Of a stage with parts it is the item that commits, with what came of all of them.
  return place.stage.commit !== undefined && entry.settlement.kind === JOURNAL_KIND.done && row.part === null;
}

/** All entries are of one stage. What the author's code throws is told apart from what the database throws through it. */
export async function commitItems(tx: Queryable, entries: readonly Entry[]): Promise<void> {
  const { commit } = entries[0]?.held.place.stage ?? {};
  if (commit === undefined) return;
  const fromDatabase = new Set<unknown>();
  const watched: Queryable = {
    async query<Row>(statement: Parameters<Queryable["query"]>[0], values: readonly unknown[]): Promise<Row[]> {
      try {
        return await tx.query<Row>(statement, values);
      } catch (error) {
        fromDatabase.add(error);
        throw error;
      }
    },
  };
  const items = entries.map(({ held, settlement }) => ({
    item: formatId("item", held.row.id),
    input: held.row.input,
    output: settlement.output === null ? undefined : (JSON.parse(settlement.output) as unknown),
  }));
  try {
    await commit(watched, items);
  } catch (error) {
    const passing =
      fromDatabase.has(error) && classifyDatabaseError(error) !== "data" && classifyDatabaseError(error) !== "bug";
    throw passing ? error : new CommitError("commit failed", { cause: error });
  }
}
