// Children of an outcome with their inputs as their pipelines' schemas make them. During the visit, because a schema may
// answer later, and because a bad input is the stage's own bug.

import { VALUE_BYTES } from "../intake/limits.ts";
import { checkChildren } from "../items/outcome-checks.ts";
import { checkInput } from "../pipeline/check-input.ts";
import type { Child, Outcome } from "../pipeline/outcome.ts";
import type { InputSchema } from "../pipeline/pipeline.ts";

/** Stages are also written without types: it may be anything. */
export function hasChildren(outcome: Outcome): boolean {
  return outcome?.type === "spawn" || (outcome?.type === "done" && outcome.spawn?.length > 0);
}

export async function withCheckedChildren(outcome: Outcome): Promise<Outcome> {
  if (outcome.type === "done") return { ...outcome, spawn: await checkedInputs(outcome.spawn) };
  return outcome.type === "spawn" ? { ...outcome, children: await checkedInputs(outcome.children) } : outcome;
}

async function checkedInputs(children: readonly Child[]): Promise<Child[]> {
  const checked: Child[] = [];
  for (const [index, child] of checkChildren(children).entries()) {
    // `child()` is given the pipeline itself. One that was named by hand has no schema here, and is only known by name.
    const pipeline = child.pipeline as { readonly name: string; readonly input?: InputSchema<never, unknown> };
    if (pipeline.input === undefined) checked.push(child);
    else {
      const place = { pipeline: { name: pipeline.name, input: pipeline.input }, maxBytes: VALUE_BYTES };
      const json = await checkInput(child.input, { ...place, field: `children[${index}].input` });
      checked.push({ ...child, input: JSON.parse(json) });
    }
  }
  return checked;
}
