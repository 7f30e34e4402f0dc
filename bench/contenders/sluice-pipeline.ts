// The pipeline that our own contenders run, with one stage or four, and a handler called per item and stage.

import { z } from "zod";
import { type AnyPipeline, definePipeline, done } from "../../src/engine/index.ts";
import type { Task } from "../contender.ts";
import type { Payload } from "../payload.ts";

const input = z.object({
  index: z.number(),
  item: z.string(),
  title: z.string(),
  profile: z.string(),
  at: z.number(),
});

export function pipelineOf({ stages, visit }: Pick<Task, "stages" | "visit">): AnyPipeline {
  const run = (stage: number) => async (one: { readonly input: Payload }) => {
    await visit(one.input, stage);
    return done({ ok: true });
  };
  const first = definePipeline("chain", { version: 1, input }).stage("search", { run: run(0) });
  if (stages === 1) return first;
  return first
    .stage("download", { run: run(1) })
    .stage("encode", { run: run(2) })
    .stage("deliver", { run: run(3) });
}
