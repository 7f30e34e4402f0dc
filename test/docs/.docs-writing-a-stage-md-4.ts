import { strict as assert } from "node:assert";
import { back, definePipeline, done, service } from "sluice";
import { type Scripted, scripted, testSluice } from "sluice/testing";
import { z } from "zod";

const torrents = service<Scripted>("torrents", { capacity: 10 });
const films = definePipeline("films", { version: 1, input: z.object({ title: z.string() }) })
  .stage("search", { run: ({ because }) => done({ release: because.note === undefined ? "first" : "second" }) })
  .stage("download", {
    outside: torrents,
    start: ({ key, out }, client) => client.start(key, out.search.release), // answers with the service's own name for it
    adopt: ({ key }, client) => client.adopt(key), // what a crash may have left running under that key
    look: (refs, client) => client.look(refs), // one call for all of them
    cancel: (ref, client) => client.cancel(ref), // called until it succeeds
    list: (client, prefix) => client.list(prefix), // what the service has of ours, to find what was forgotten
    stall: { never: "10m", stopped: "30m", react: ({ out }) => back("search", { block: out.search.release }) },
  });

const client = scripted().stallsAt(40, 1); // the first job stops at 40 %
const t = await testSluice({ pipelines: [films], services: { torrents: client } });
const { items } = await t.submit(films, [{ title: "Metropolis" }]);
await t.advance("29m");
console.log((await t.sluice.explain(items[0]!)).sentence);
await t.advance("10m");
assert.equal((await t.sluice.explain(items[0]!)).state, "done");
assert.deepEqual(client.cancelled, ["job-1"]);
await t.close();
