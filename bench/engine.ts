// The whole engine: a handler called per item and stage, decided, settled in batches, handed on.

import pg from "pg";
import { openSluice } from "../src/engine/index.ts";
import { chain, fill } from "./chain.ts";
import type { Contender } from "./contender.ts";
import { BATCH, CONNECTIONS } from "./workload.ts";

export const engine = (perRequest: number): Contender => ({
  name: `sluice, ${perRequest} item${perRequest === 1 ? "" : "s"} per request`,
  async prepare(url, count) {
    await fill(url, count, perRequest);
    return {
      async drain() {
        const concurrency = BATCH * CONNECTIONS * 2;
        const sluice = await openSluice({ pipelines: [chain], database: url, worker: { concurrency } });
        await empty(url);
        await sluice.close();
      },
      async close() {},
    };
  },
});

/** Asked every few milliseconds on a connection of its own: cheap beside what is measured. */
async function empty(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (;;) {
    const { rows } = await client.query("select exists (select from sluice.run) as busy");
    if (rows[0].busy === false) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await client.end();
}
