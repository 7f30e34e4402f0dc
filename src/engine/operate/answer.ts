// A person's answer to a question.

import { checkJson, InputError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import { answerQuestion } from "../items/wake.sql.ts";
import { questionOptions } from "./question.sql.ts";

/** False when the question is not open (any more). */
export async function answer(db: Queryable, question: string, given: unknown, actor: string): Promise<boolean> {
  const json = checkJson(given, { field: "answer", maxBytes: VALUE_BYTES });
  const options = await questionOptions(db, question);
  if (options !== null && !options.some((option) => option === given)) {
    throw new InputError("answer", `answer must be one of ${options.map((one) => JSON.stringify(one)).join(", ")}`);
  }
  return (await answerQuestion(db, question, json, actor)).length > 0;
}
