// What goes when its time is over: sources, results, files that nothing refers to, and what was left half written. A schedule hands in an
// item for each round, so that one process does it, it is done again after a crash, and everybody can see when it was.

import { z } from "zod";
import { again, definePipeline, done, type Outcome, schedule } from "../../../engine/index.ts";
import { removeLeftovers } from "../files/leftovers.ts";
import { fileAt } from "../files/places.ts";
import { unpublish } from "../files/publish.ts";
import type { DocumentPorts } from "../ports.ts";

/** In one visit; where there is more, another follows at once. */
const BATCH = 500;

export interface Kept {
  readonly sources: number;
  readonly results: number;
  readonly files: number;
  readonly leftovers: number;
}

export function upkeepPipeline(ports: DocumentPorts) {
  return definePipeline("documents-upkeep", {
    version: 1,
    input: z.object({}),
    reserved: "its schedule does, every ten minutes",
    keep: { done: "1d", failed: "7d", cancelled: "1d" },
  }).stage("tidy", { words: ["queued", "processing"], timeout: "10m", run: () => tidy(ports) });
}

export function upkeepSchedule(pipeline: ReturnType<typeof upkeepPipeline>) {
  return schedule("documents-upkeep", { cron: "*/10 * * * *", missed: "once", pipeline, input: {} });
}

export async function tidy({ store, places, limits }: DocumentPorts): Promise<Outcome<Kept>> {
  const { keepSourcesMs, keepResultsMs } = limits;
  const sources = await store.expireSources(keepSourcesMs, BATCH);
  const results = await store.expireResults(keepResultsMs, BATCH);
  const forget = (kind: "source" | "result") =>
    store.forgetFiles(kind, BATCH, (sha256) => unpublish(fileAt(places, kind, sha256)));
  const files = [await forget("source"), await forget("result")];
  if ([sources, results, ...files].some((count) => count === BATCH)) return again("1s");
  const leftovers = await removeLeftovers(places, await store.now());
  return done({ sources, results, files: files.reduce((sum, count) => sum + count, 0), leftovers });
}
