// A person's answer to a question.

import { checkJson, InputError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import { answerQuestion } from "../items/wake.sql.ts";
import { readQuestion } from "./question.sql.ts";
import { untilStill } from "./until-still.ts";

/** False when the question is not open (any more). A dry run only looks whether it is, and whether that is an answer. */
export async function answer(
  db: Queryable,
  question: string,
  given: unknown,
  { actor, dryRun }: { readonly actor: string; readonly dryRun: boolean },
): Promise<boolean> {
  const json = checkJson(given, { field: "answer", maxBytes: VALUE_BYTES });
  const isAnswered = await untilStill(async () => {
    const asked = await readQuestion(db, question);
    checkOption(given, asked?.options ?? null);
    if (asked?.is_open !== true) return false;
    if (dryRun) return true;
    // Somebody changed the item between the two, its priority for instance, and it still waits for an answer.
    return (await answerQuestion(db, question, json, actor)).length > 0 ? true : "moved";
  });
  return isAnswered ?? false;
}

function checkOption(given: unknown, options: readonly string[] | null): void {
  if (options === null || options.some((option) => option === given)) return;
  throw new InputError("answer", `answer must be one of ${options.map((one) => JSON.stringify(one)).join(", ")}`);
}
