// All switches of stages as one object, `{ "scan": true, "publish": false }`. A stage goes by its own name where no other pipeline
// has one of that name, else by `pipeline.stage`; that longer name always works. Pure.

import { createHash } from "node:crypto";
import { InputError, type StageFigures, type SwitchState } from "../../engine/index.ts";
import { orElse } from "../../kit/index.ts";

export type Workflow = Readonly<Record<string, boolean>>;

export interface NamedStage {
  readonly name: string;
  readonly pipeline: string;
  readonly stage: string;
}

/** The engine's own, which clears up after items; switching it off has a route of its own. */
const OWN_PIPELINE = "cleanup";

export function namedStages(figures: readonly Pick<StageFigures, "pipeline" | "stage">[]): NamedStage[] {
  const own = figures.filter((one) => one.pipeline !== OWN_PIPELINE);
  // One for all versions.
  const stages = new Map(own.map(({ pipeline, stage }) => [`${pipeline}.${stage}`, { pipeline, stage }]));
  const used = Map.groupBy(stages.values(), (one) => one.stage);
  return [...stages].map(([long, one]) => {
    const isUnique = used.get(one.stage)?.length === 1 && !stages.has(one.stage);
    return { ...one, name: isUnique ? one.stage : long };
  });
}

/** False where the switch of all versions is off; one version's alone does not count. */
export function workflowOf(
  stages: readonly NamedStage[],
  switches: readonly Pick<SwitchState, "pipeline" | "stage" | "version" | "state">[],
): Workflow {
  const isOff = (one: NamedStage) =>
    switches.some(
      ({ pipeline, stage, version, state }) =>
        version === null && pipeline === one.pipeline && stage === one.stage && state !== "on",
    );
  return Object.fromEntries(stages.map((one) => [one.name, !isOff(one)]));
}

/** What has to be switched to get there; throws at a name that nobody has. */
export function changesTo(
  stages: readonly NamedStage[],
  now: Workflow,
  wanted: Workflow,
): readonly (NamedStage & { readonly on: boolean })[] {
  return Object.entries(wanted).flatMap(([name, on]) => {
    const found = stages.find((one) => one.name === name || `${one.pipeline}.${one.stage}` === name);
    const known = stages.map((one) => one.name);
    if (found === undefined)
      throw new InputError(name, `there is no stage ${JSON.stringify(name)}; ${orElse(name, known)}`);
    return now[found.name] === on ? [] : [{ ...found, on }];
  });
}

export function etagOf(workflow: Workflow): string {
  return `"${createHash("sha256").update(JSON.stringify(workflow)).digest("base64url").slice(0, 22)}"`;
}
