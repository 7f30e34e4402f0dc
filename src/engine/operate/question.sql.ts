// What a person is asked, and may answer.

import type { Queryable, Statement } from "../db/database.ts";

const QUESTION: Statement = {
  name: "question",
  text: `
select q.options, q.answered_at is null and q.withdrawn_at is null and r.id is not null as is_open
from sluice.question q
left join sluice.run r on r.id = q.run_id and r.state = 0
where q.id = $1`,
};

export interface QuestionRow {
  /** Null where any answer will do. */
  readonly options: readonly string[] | null;
  readonly is_open: boolean;
}

export async function readQuestion(db: Queryable, question: string): Promise<QuestionRow | undefined> {
  return (await db.query<QuestionRow>(QUESTION, [question]))[0];
}
