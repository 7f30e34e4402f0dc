// Tables on which nothing stays: what is done there is done, and rolled back. So a dry run looks at everything that the deed looks
// at, what it answers is exact, and there is no second way through the code that could come to say something else.

import type { Queryable, Tables } from "../engine/index.ts";

class RolledBack<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super("a dry run is rolled back");
    this.result = result;
  }
}

export function rehearsal(tables: Tables): Tables {
  const transaction = async <Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> => {
    try {
      return await tables.transaction<Result>(async (tx) => {
        throw new RolledBack(await work(tx));
      });
    } catch (thrown) {
      if (thrown instanceof RolledBack) return thrown.result as Result; // thrown above, with this very type
      throw thrown;
    }
  };
  return { transaction, query: (statement, values) => transaction((tx) => tx.query(statement, values)) };
}
