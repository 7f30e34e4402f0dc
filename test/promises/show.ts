// Shows everything that is promised by doing it: tests by their names, loops by the sources, an upload that is cut, workers that are killed,
// and requests in a world that is broken.

import { USUAL_CONCURRENCY } from "../chaos/options.ts";
import { run as runChaos } from "../chaos/run.ts";
import type { Undo } from "../chaos/world.ts";
import { run as runRequests } from "../media/requests/run.ts";
import { withUpload } from "../media/upload.ts";
import type { ChaosFacts, Facts, UploadFacts } from "./facts.ts";
import { countLoops } from "./loops.ts";
import { runTests } from "./named-tests.ts";
import type { Options } from "./options.ts";
import { PROMISES } from "./promises.ts";
import { requestFacts } from "./request-facts.ts";

export async function show(options: Options, say: (line: string) => void, over: AbortSignal): Promise<Facts> {
  const { requests, seconds, seed } = options;
  const loops = countLoops();
  say("tests by their names");
  const notPassed = await runTests(PROMISES.flatMap(({ tests }) => tests));
  over.throwIfAborted();
  say("an upload that is cut");
  const upload = await cutUpload(options.megabytes);
  over.throwIfAborted();
  say("workers, a database and a service that are killed");
  const chaos = await chaosFacts(options.chaosSeconds, seed, say);
  over.throwIfAborted();
  say("requests in a world that is broken");
  const asked = { requests, seconds, seed, keep: false, judgesTimes: true };
  return { loops, notPassed, upload, chaos, requests: requestFacts(await runRequests(asked, say, over)) };
}

async function cutUpload(megabytes: number): Promise<UploadFacts> {
  return await withUpload(megabytes, async (upload) => ({ megabytes, ...(await upload.cut()) }));
}

async function chaosFacts(seconds: number, seed: number, say: (line: string) => void): Promise<ChaosFacts> {
  const undone: Undo[] = [];
  const options = {
    seconds,
    seed,
    keep: false,
    judgesTimes: false,
    explainsAll: false,
    concurrency: USUAL_CONCURRENCY,
  };
  try {
    const { evidence, findings, fired } = await runChaos(options, (what) => undone.push(what), say);
    const count = (...kinds: readonly string[]) => findings.filter(({ kind }) => kinds.includes(kind)).length;
    return {
      ...{ items: evidence.items.length, kills: fired.get("kill") ?? 0, databaseCrashes: fired.get("crash") ?? 0 },
      ...{
        lost: count("lost"),
        twice: count("recorded twice", "effect twice"),
        findings: findings.map(({ kind, what }) => `${kind}: ${what}`),
      },
    };
  } finally {
    // Last in, first out.
    for (const undo of undone.reverse()) await undo();
  }
}
