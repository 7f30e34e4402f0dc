// One search for a season serves all its episodes: what an indexer answered is shared with whoever asks the same within minutes.

import type { Release } from "../../../connectors/index.ts";
import type { Queryable } from "../../../engine/index.ts";
import { findAnswer, keepAnswer } from "./answers.sql.ts";
import { Once } from "./once.ts";

export interface Asking {
  readonly indexer: string;
  /** The same text for the same question. */
  readonly question: string;
  /** What was said before does not count. */
  readonly isAnew: boolean;
  readonly freshMs: number;
}

export type Answers = (asking: Asking, ask: () => Promise<readonly Release[]>) => Promise<readonly Release[]>;

export function indexerAnswers(db: () => Promise<Queryable>): Answers {
  const once = new Once();
  return async (asking, ask) => {
    const { indexer, question, isAnew, freshMs } = asking;
    return await once.get(`${isAnew ? "anew" : "kept"} ${indexer} ${question}`, {
      read: async () => (isAnew ? undefined : await findAnswer(await db(), indexer, question)),
      ask,
      keep: async (releases) => keepAnswer(await db(), asking, releases, freshMs),
    });
  };
}
