// A change in one transaction, or, of a dry run, all of it and then none: what it would answer is exact, and nothing stays.

import type { Queryable, Tables } from "../../engine/index.ts";

class DryRun<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super("a dry run is rolled back");
    this.result = result;
  }
}

export async function changing<Result>(
  tables: Pick<Tables, "transaction">,
  isDry: boolean,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  try {
    return await tables.transaction(async (tx) => {
      const result = await work(tx);
      if (isDry) throw new DryRun(result);
      return result;
    });
  } catch (thrown) {
    if (thrown instanceof DryRun) return thrown.result as Result; // thrown above, with this very type
    throw thrown;
  }
}
