// The pipeline both contenders of ours run, and how its items enter.

import { z } from "zod";
import { definePipeline, done, openSluice } from "../src/engine/index.ts";
import { payload } from "./workload.ts";

const input = z.object({ index: z.number(), item: z.string(), title: z.string(), profile: z.string() });
const run = async () => done({ ok: true });

export const chain = definePipeline("chain", { version: 1, input })
  .stage("search", { run })
  .stage("download", { run })
  .stage("encode", { run })
  .stage("deliver", { run });

export async function fill(url: string, count: number, perRequest: number): Promise<void> {
  const client = await openSluice({ pipelines: [chain], database: url, worker: false });
  const requests = Array.from({ length: count / perRequest }, (_, request) =>
    Array.from({ length: perRequest }, (_, index) => payload(request * perRequest + index)),
  );
  for (let from = 0; from < requests.length; from += 200) {
    await Promise.all(requests.slice(from, from + 200).map((items) => client.submit(chain, items)));
  }
  await client.close();
}
