// A pipeline as somebody sees it who hands in work: its name, its version, and what it takes.

import { InputError, safeText } from "../../kit/index.ts";
import type { Pipeline } from "./pipeline.ts";

export type Accepts<Asked> =
  | Pipeline<Asked, never, never>
  | Pipeline<Asked, unknown, unknown>
  | { readonly name: string; readonly version: number; readonly "~types": { readonly asked: Asked } };

export interface PipelineName {
  readonly name: string;
  readonly version: number;
}

export function pipelineName(pipeline: Partial<PipelineName> | undefined, field: string): PipelineName {
  const { name, version } = pipeline ?? {};
  if (typeof name !== "string" || typeof version !== "number") {
    throw new InputError(field, `${field} must be a pipeline made by definePipeline, got ${safeText(pipeline, 80)}`);
  }
  return { name, version };
}
