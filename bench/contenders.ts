import type { Contender } from "./contender.ts";
import { engine } from "./engine.ts";
import { rawJournal } from "./raw-journal.ts";
import { statements } from "./statements.ts";

/** What all others are compared with. */
export const limit: Contender = rawJournal;

/** The bar is the statements': the whole engine, opening and closing included, is shown beside them. */
export const judged: readonly Contender[] = [statements(1), statements(10)];

export const contenders: readonly Contender[] = [limit, ...judged, engine(1), engine(10)];
