// In this process, under a clock that stands still until a case needs time.

import { Kysely, PGliteDialect } from "kysely";
import type { AnyPipeline } from "../../src/engine/index.ts";
import type { PgliteDatabase } from "../../src/engine/testing/pglite.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { type Brought, together, type World } from "./world.ts";

const TURNS = 10_000;
/** Most of it needs no time at all, and every second that passes wakes each of the engine's loops. */
const TIMELESS_TURNS = 30;

export function pgliteWorld(): World {
  const pipelines: AnyPipeline[] = [];
  const brought: Brought[] = [];
  let opened: TestSluice | undefined;
  const test = () => {
    if (opened === undefined) throw new Error("the world is not open yet");
    return opened;
  };
  // testSluice promises a Database; that it is PGlite is what this world is about.
  const pglite = () => (test().db as PgliteDatabase).pglite;

  // Time moves on beside the question, not before it: while a case holds a visit up, no moment comes when nothing moves.
  let isClosed = false;

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    let isPassing = false;
    for (let turn = 0; turn < TURNS; turn += 1) {
      if (await condition()) return;
      if (turn >= TIMELESS_TURNS && !isPassing) {
        isPassing = true;
        void test()
          .advance("1s")
          .catch((error: unknown) => {
            // Time that was still passing when the world was closed has nowhere to go.
            if (!isClosed) throw error;
          })
          .finally(() => {
            isPassing = false;
          });
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error("waited in vain");
  }

  return {
    get sluice() {
      return test().sluice;
    },
    use: (...given) => void pipelines.push(...given),
    bring: (given) => void brought.push(given),
    async finished(handle) {
      let isOver = false;
      const result = handle.result().finally(() => {
        isOver = true;
      });
      await Promise.all([result, until(() => isOver)]);
      return await result;
    },
    until,
    chores: () => test().advance("1m"),
    rows: (text, values = []) => test().db.query({ name: "look", text }, values),
    inClient: (work) => pglite().transaction((tx) => work({ query: ({ text, values }) => tx.query(text, values) })),
    async inKysely(work) {
      // Not destroyed: that would close the database.
      const kysely = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite: pglite() }) });
      return await kysely.transaction().execute(work);
    },
    async open() {
      opened = await testSluice({ pipelines, ...together(brought), concurrency: 50 });
    },
    close() {
      isClosed = true;
      return test().close();
    },
  };
}
