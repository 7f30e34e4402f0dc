// What people are asked right now.

import { formatId, InputError, type ItemId, parseId, type QuestionId, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { findQuestion, openQuestions, type QuestionRow } from "./questions.sql.ts";

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

export interface QuestionsOptions {
  /** Only those of this one's items. */
  readonly owner?: string | undefined;
  /** Only those that were asked after this one. */
  readonly after?: QuestionId | undefined;
  readonly limit?: number | undefined;
}

const MOST = 1_000;

export async function readQuestions(
  db: Queryable,
  item: string | undefined,
  { owner, after, limit = MOST }: QuestionsOptions = {},
): Promise<OpenQuestion[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw new InputError("limit", `limit is a whole number from 1 to ${MOST}, got ${String(limit)}`);
  const rows = await openQuestions(db, {
    item: item === undefined ? null : parseId("item", item, "item"),
    owner: owner ?? null,
    after: after === undefined ? "0" : parseId("question", after, "after"),
    most: limit,
  });
  return rows.map(toQuestion);
}

/** One that was asked, open or not. To an owner that is named, another's is not there. */
export async function readQuestion(
  db: Queryable,
  id: QuestionId,
  owner: string | undefined,
): Promise<OpenQuestion & { readonly isOpen: boolean }> {
  const row = await findQuestion(db, parseId("question", id, "question"), owner ?? null);
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no question ${id}`, { field: "question" });
  return { ...toQuestion(row), isOpen: row.is_open };
}

function toQuestion(row: QuestionRow): OpenQuestion {
  return {
    id: formatId("question", row.id),
    item: formatId("item", row.item_id),
    question: row.text,
    options: row.options,
    askedAt: row.asked_at,
    until: row.fallback_at,
  };
}
