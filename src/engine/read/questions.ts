// What people are asked right now.

import { formatId, type ItemId, parseId, type QuestionId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { openQuestions } from "./questions.sql.ts";

export interface OpenQuestion {
  readonly id: QuestionId;
  readonly item: ItemId;
  readonly question: string;
  /** The answers it offers; null when any will do. */
  readonly options: readonly string[] | null;
  readonly askedAt: Date;
  /** When it answers itself, where it does. */
  readonly until: Date | null;
}

const MOST = 1_000;

export async function readQuestions(db: Queryable, item?: string): Promise<OpenQuestion[]> {
  const rows = await openQuestions(db, item === undefined ? null : parseId("item", item, "item"), MOST);
  return rows.map((row) => ({
    id: formatId("question", row.id),
    item: formatId("item", row.item_id),
    question: row.text,
    options: row.options,
    askedAt: row.asked_at,
    until: row.fallback_at,
  }));
}
