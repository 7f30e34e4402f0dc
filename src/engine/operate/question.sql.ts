// What a question may be answered with.

import type { Queryable, Statement } from "../db/database.ts";

const OPTIONS: Statement = { name: "question-options", text: `select options from sluice.question where id = $1` };

/** Null where any answer will do, and for a question that does not exist. */
export async function questionOptions(db: Queryable, question: string): Promise<readonly string[] | null> {
  const [row] = await db.query<{ options: readonly string[] | null }>(OPTIONS, [question]);
  return row?.options ?? null;
}
