// A film that is downloaded by somebody else: the stage, a service that keeps its own ground truth, and a Sluice around it.

import { z } from "zod";
import { done } from "../../src/engine/pipeline/outcome.ts";
import type { OutsideDefinition } from "../../src/engine/pipeline/outside.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import type { Scripted } from "../../src/engine/testing/scripted.ts";
import { testSluice } from "../../src/engine/testing/test-sluice.ts";

export const input = z.object({ title: z.string() });
type Film = z.infer<typeof input>;
export type Definition = OutsideDefinition<Film, unknown, unknown, Scripted>;

const torrents = service<Scripted>("torrents");
export const download: Definition = {
  outside: torrents,
  start: ({ key, input }, client) => client.start(key, input),
  adopt: ({ key }, client) => client.adopt(key),
  look: (refs, client) => client.look(refs),
  cancel: (ref, client) => client.cancel(ref),
  list: (client, prefix) => client.list(prefix),
  attempts: 3,
  backoff: { base: "1m", cap: "1m" },
};

export const films = (change: Partial<Definition> = {}) =>
  definePipeline("films", { version: 1, input })
    .stage("download", { ...download, ...change })
    .stage("deliver", { run: () => done() });

/** One film, submitted. Whoever opens it closes it. */
export async function opened(change: Partial<Definition>, client: Scripted) {
  const pipeline = films(change);
  const t = await testSluice({ pipelines: [pipeline], services: { torrents: client } });
  const request = await t.submit(pipeline, [{ title: "Alien" }]);
  const [item] = request.items;
  if (item === undefined) throw new Error("nothing was submitted");
  return { t, item, request };
}
