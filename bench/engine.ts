// The whole engine: a handler called per item and stage, decided, settled in batches, handed on.

import pg from "pg";
import { z } from "zod";
import { definePipeline, done, openSluice } from "../src/engine/index.ts";
import type { Contender } from "./contender.ts";
import { BATCH, CONNECTIONS, payload } from "./workload.ts";

const input = z.object({ index: z.number(), item: z.string(), title: z.string(), profile: z.string() });
const run = async () => done({ ok: true });
const chain = definePipeline("chain", { version: 1, input })
  .stage("search", { run })
  .stage("download", { run })
  .stage("encode", { run })
  .stage("deliver", { run });

export const engine = (perRequest: number): Contender => ({
  name: `sluice, ${perRequest} item${perRequest === 1 ? "" : "s"} per request`,
  async prepare(url, count) {
    const client = await openSluice({ pipelines: [chain], database: url, worker: false });
    const requests = Array.from({ length: count / perRequest }, (_, request) =>
      Array.from({ length: perRequest }, (_, index) => payload(request * perRequest + index)),
    );
    for (let from = 0; from < requests.length; from += 200) {
      await Promise.all(requests.slice(from, from + 200).map((items) => client.submit(chain, items)));
    }
    await client.close();
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
