// Questions and their answers, given twice, too late, or to nobody.

import type { Database } from "../../../src/engine/db/database.ts";
import { addQuestion } from "../../../src/engine/items/beside.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { answerOverdue, answerQuestion } from "../../../src/engine/items/wake.sql.ts";
import { answer } from "../../../src/engine/operate/answer.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { prioritiseRuns } from "../../../src/engine/operate/move.sql.ts";
import type { Arena } from "../arena.ts";
import { ANNA, countOf, enter, journalled, must, settled, taken, waits } from "../play.ts";
import type { Scenario } from "../scenario.ts";

async function asking(arena: Arena, fallbackMs: number | null = null): Promise<{ row: ClaimedRow; question: string }> {
  const [row] = await taken(arena, ANNA, [1]);
  if (row === undefined) throw new Error("nothing was claimed");
  const question = await arena.db.transaction(async (tx) => {
    await settled(tx, [waits(row, arena.dictionary.line, "question")], ANNA);
    const fallback = fallbackMs === null ? null : '"nothing"';
    return await addQuestion(tx, row.id, { text: "which?", options: null, fallback, fallbackMs });
  });
  return { row, question };
}

const answeredTwice: Scenario = {
  name: "a question answered twice at once: the first answer counts",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { row, question } = await asking(arena, 0);
    const won: string[] = [];
    const answer = (name: string) => async (db: Database) => {
      if ((await db.transaction((tx) => answerQuestion(tx, question, `"${name}"`, name))).length === 1) won.push(name);
    };
    return {
      sessions: { one: answer("one"), two: answer("two") },
      async check() {
        must(won.length === 1, `${won.length} answers counted`);
        must(
          (await countOf(arena, "from sluice.question where answered_by = $1 and answer = to_jsonb($1::text)", [
            won[0],
          ])) === 1,
          "the one that was stored",
        );
        must((await journalled(arena, row.id, "answered")) === 1, "and it was told once");
        must((await answerOverdue(arena)).length === 0, "nobody answers it again");
      },
    };
  },
};

const overdue: Scenario = {
  name: "an answer in the last moment: the person or the fallback, not both",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { row, question } = await asking(arena, 0);
    return {
      sessions: {
        person: (db) => db.transaction((tx) => answerQuestion(tx, question, '"this"', "person")),
        sweeper: (db) => db.transaction((tx) => answerOverdue(tx)),
      },
      async check({ waits: waited }) {
        must((await journalled(arena, row.id, "answered")) === 1, "it was told once");
        must(!waited.some((one) => one.startsWith("sweeper")), "the sweeper waits for nobody");
      },
    };
  },
};

const answerAndPriority: Scenario = {
  name: "a question answered while its item becomes more urgent: the answer counts",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { row, question } = await asking(arena);
    const answers: boolean[] = [];
    return {
      sessions: {
        person: async (db) => answers.push(await answer(db, question, "this", { actor: "person", dryRun: false })),
        other: (db) =>
          db.transaction((tx) => prioritiseRuns(tx, [{ id: row.id, version: row.version + 1 }], 1, "other")),
      },
      check: () => must(answers.join() === "true", "it counts"),
    };
  },
};

const answerAndCancel: Scenario = {
  name: "a question answered while its item is cancelled: withdrawn or answered, not open",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { row, question } = await asking(arena);
    return {
      sessions: {
        person: (db) => db.transaction((tx) => answerQuestion(tx, question, "1", "person")),
        other: (db) => cancelItems(db, [row.id], "other"),
      },
      async check() {
        must(
          (await countOf(arena, "from sluice.question where answered_at is null and withdrawn_at is null")) === 0,
          "it is not open",
        );
        must(
          (await countOf(arena, "from sluice.question where answered_at is not null and withdrawn_at is not null")) ===
            0,
          "nor both",
        );
        must((await answerQuestion(arena, question, "2", "person")).length === 0, "and cannot be answered any more");
      },
    };
  },
};

const questionRules: Scenario = {
  name: "only an open question of an idle item is answered, and a fallback only in its time",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const later = await asking(arena, 3_600_000);
        const now = await asking(arena, 0);
        const never = await asking(arena);
        must(
          (await answerOverdue(arena)).map((row) => row.id).join() === now.row.id,
          "only the overdue one gets its fallback",
        );
        must((await countOf(arena, "from sluice.question where answer = '\"nothing\"'")) === 1, "which is stored");
        await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, later.row.id]);
        must(
          (await answerQuestion(arena, later.question, "1", "person")).length === 0,
          "an item that is being visited hears no answer",
        );
        await arena.rows("update sluice.question set fallback_at = '2000-01-01' where id <> $1", [now.question]);
        await arena.rows("update sluice.question set withdrawn_at = '2000-01-01' where id = $1", [never.question]);
        must((await answerOverdue(arena)).length === 0, "nor a fallback, and who is no longer asked needs none");
        await arena.rows("update sluice.run set state = 0, epoch = null where id = $1", [later.row.id]);
        must((await answerQuestion(arena, later.question, "1", "person")).length === 1, "then it does");
        // Though its item lives: a retry may have made it live again.
        must(
          (await answerQuestion(arena, never.question, "1", "person")).length === 0,
          "a withdrawn question is not open",
        );
        must((await answerQuestion(arena, now.question, "1", "person")).length === 0, "nor is an answered one");
        must(
          (await countOf(arena, "from sluice.question where answered_by = 'person'")) === 1,
          "one was answered by a person",
        );
        await cancelItems(arena, [never.row.id, now.row.id, later.row.id], "person");
        must(
          (await countOf(arena, "from sluice.question where withdrawn_at is not null")) === 1,
          "an answered question is not withdrawn",
        );
        must(
          (await countOf(arena, "from sluice.question where withdrawn_at = '2000-01-01'")) === 1,
          "nor a withdrawn one again",
        );
      },
    };
  },
};

export const questions = [answeredTwice, overdue, answerAndPriority, answerAndCancel, questionRules];
