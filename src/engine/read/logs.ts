// What visits of an item noted with `visit.log`.

import { InputError, parseId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { LOGS_PER_ITEM } from "../items/visit-log.sql.ts";
import { type LogRow, logsOf } from "./logs.sql.ts";

/** Of one visit. */
export interface VisitNotes {
  readonly stage: string;
  readonly attempt: number;
  /** When the visit was settled. */
  readonly at: Date;
  /** How many older lines made room for these. */
  readonly dropped: number;
  readonly lines: LogRow["lines"];
}

const LIMIT = 20;

/** Of the newest visits that noted anything, oldest first. */
export async function readLogs(
  db: Queryable,
  item: string,
  { limit = LIMIT }: { readonly limit?: number } = {},
): Promise<VisitNotes[]> {
  const id = parseId("item", item, "item");
  if (!Number.isInteger(limit) || limit < 1 || limit > LOGS_PER_ITEM)
    throw new InputError("limit", `limit must be a whole number from 1 to ${LOGS_PER_ITEM}, got ${limit}`);
  const rows = await logsOf(db, id, limit);
  return rows.toReversed().map((row) => ({ ...row, stage: row.stage ?? "?" }));
}
