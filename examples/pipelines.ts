// A small pipeline that does nothing outside this process, but has everything: stages that hand on what they found, a
// service that is away for a moment, work that takes several visits, and progress.

import { again, definePipeline, done, unavailable } from "sluice";
import { z } from "zod";

const tried = new Set<string>();
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const films = definePipeline("films", {
  version: 1,
  input: z.object({ title: z.string(), megabytes: z.number() }),
})
  .stage("search", {
    async run({ input, item }) {
      await sleep(100 + Math.random() * 300);
      const firstTime = !tried.has(item.id);
      tried.add(item.id);
      // One in five finds the indexer busy; it says when to come back, and that costs no attempt.
      if (firstTime && Math.random() < 0.2) throw unavailable("BUSY", "the indexer is busy", { retryAfter: "1s" });
      return done({ release: `${input.title}.1080p.mkv` });
    },
  })
  .stage("download", {
    async run({ input, checkpoint, progress }) {
      const had = typeof checkpoint.value === "number" ? checkpoint.value : 0;
      const have = Math.min(input.megabytes, had + 100 + Math.random() * 200);
      await checkpoint.save(have);
      progress((have / input.megabytes) * 100);
      // Not there yet: nobody waits in a loop, the stage is simply visited again.
      return have < input.megabytes ? again("200ms") : done({ bytes: input.megabytes * 1_000_000 });
    },
  })
  .stage("encode", {
    async run({ progress }) {
      for (let percent = 0; percent <= 100; percent += 25) {
        progress(percent);
        await sleep(60);
      }
      return done({ codec: "hevc" });
    },
  })
  .stage("deliver", {
    async run({ out }) {
      await sleep(100);
      return done({ path: `/library/${out.search.release}` });
    },
  });
