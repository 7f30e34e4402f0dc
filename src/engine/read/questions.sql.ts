// Questions that wait for an answer.

import type { Queryable, Statement } from "../db/database.ts";

export interface QuestionRow {
  readonly id: string;
  readonly item_id: string;
  readonly text: string;
  readonly options: readonly string[] | null;
  readonly asked_at: Date;
  readonly fallback_at: Date | null;
}

const questionColumns = "q.id, q.run_id as item_id, q.text, q.options, q.asked_at, q.fallback_at";

/** Whoever may ask for an item may ask what it asks. */
const isOwned = (owner: string) =>
  `(${owner}::text is null or exists (select from sluice.item i where i.id = q.run_id and i.owner = ${owner}))`;

const OPEN: Statement = {
  name: "open-questions",
  text: `
select ${questionColumns}
from sluice.question q
where q.answered_at is null and q.withdrawn_at is null and ($1::bigint is null or q.run_id = $1)
  and q.id > $3::bigint and ${isOwned("$4")}
order by q.id
limit $2`,
};

export interface QuestionsAsked {
  readonly item: string | null;
  readonly owner: string | null;
  /** Only those that were asked after this one. */
  readonly after: string;
  readonly most: number;
}

export async function openQuestions(
  db: Queryable,
  { item, owner, after, most }: QuestionsAsked,
): Promise<QuestionRow[]> {
  return await db.query<QuestionRow>(OPEN, [item, most, after, owner]);
}

export interface AskedRow extends QuestionRow {
  readonly is_open: boolean;
}

const ONE: Statement = {
  name: "one-question",
  text: `
select ${questionColumns}, q.answered_at is null and q.withdrawn_at is null as is_open
from sluice.question q
where q.id = $1 and ${isOwned("$2")}`,
};

export async function findQuestion(db: Queryable, id: string, owner: string | null): Promise<AskedRow | undefined> {
  const [row] = await db.query<AskedRow>(ONE, [id, owner]);
  return row;
}
