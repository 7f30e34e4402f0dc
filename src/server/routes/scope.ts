// What a hold or a switch is about: it has to exist, and is called by its name in sentences.

import { InputError, type StageFigures } from "../../engine/index.ts";
import { orElse } from "../../kit/index.ts";

export interface Scope {
  readonly pipeline?: string | undefined;
  readonly version?: number | undefined;
  readonly stage?: string | undefined;
}

/** The stages it covers; throws when there are none, with the name that may have been meant. */
export function covered(figures: readonly StageFigures[], { pipeline, version, stage }: Scope): StageFigures[] {
  const names = (of: (one: StageFigures) => string, among: readonly StageFigures[]) => [...new Set(among.map(of))];
  const inPipeline = figures.filter((one) => pipeline === undefined || one.pipeline === pipeline);
  if (pipeline !== undefined && inPipeline.length === 0) {
    const known = names((one) => one.pipeline, figures);
    throw new InputError("pipeline", `there is no pipeline ${pipeline}; ${orElse(pipeline, known)}`);
  }
  const inVersion = inPipeline.filter((one) => version === undefined || one.version === version);
  if (version !== undefined && inVersion.length === 0) {
    const known = names((one) => String(one.version), inPipeline).join(", ");
    throw new InputError("version", `there is no version ${version} of it; known here: ${known}`);
  }
  const all = inVersion.filter((one) => stage === undefined || one.stage === stage);
  if (stage !== undefined && all.length === 0) {
    const known = names((one) => one.stage, inVersion);
    throw new InputError("stage", `there is no stage ${stage}; ${orElse(stage, known)}`);
  }
  return all;
}

export function scopeWords({ pipeline, version, stage }: Scope): string {
  const where = [
    ...(pipeline === undefined ? [] : [`pipeline ${pipeline}`]),
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(stage === undefined ? [] : [`stage ${stage}`]),
  ];
  return where.length === 0 ? "everything" : where.join(", ");
}

/** How many items it concerns, as far as they were counted. */
export function itemsIn(stages: readonly StageFigures[]): string {
  const items = stages.reduce((sum, one) => sum + one.queued + one.waiting + one.needsYou, 0);
  const more = stages.some((one) => one.isMore) ? "at least " : "";
  return items === 1 ? `${more}1 item` : `${more}${items} items`;
}
