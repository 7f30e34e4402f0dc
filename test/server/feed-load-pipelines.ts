// What is worked on while many listen.

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { definePipeline, done } from "../../src/engine/index.ts";

const input = z.object({ n: z.number() });

/** Four transitions an item: accepted, two stages, the end. */
export const steps = definePipeline("steps", { version: 1, input })
  .stage("find", { run: () => done({ found: 1 }) })
  .stage("load", { run: () => done() })
  .stage("file", { run: () => done() });
export const TRANSITIONS = 4;

/** Long enough that all of them run when the process is killed. */
export const long = definePipeline("long", { version: 1, input })
  .stage("encode", {
    run: async ({ signal }) => {
      await sleep(4_000, undefined, { signal });
      return done();
    },
  })
  .stage("file", { run: () => done() });
