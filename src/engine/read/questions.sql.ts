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

const OPEN: Statement = {
  name: "open-questions",
  text: `
select q.id, q.run_id as item_id, q.text, q.options, q.asked_at, q.fallback_at
from sluice.question q
where q.answered_at is null and q.withdrawn_at is null and ($1::bigint is null or q.run_id = $1)
order by q.id
limit $2`,
};

export async function openQuestions(db: Queryable, item: string | null, most: number): Promise<QuestionRow[]> {
  return await db.query<QuestionRow>(OPEN, [item, most]);
}
