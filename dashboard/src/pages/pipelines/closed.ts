// What holds a pipeline or some of it, and what lets exactly that go on again. Pure.

import type { Valve } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import type { Deed } from "../../api/intention.ts";
import { words } from "../../text/words.ts";

const texts = words.pipelines;

/** Of what was closed, in its own scope: a hold of one stage is not ended by resuming its pipeline. */
export function openingOf(valve: Valve): Deed {
  const { kind, pipeline, version } = valve;
  if (kind === "switch") return { path: "/api/v1/switches", method: "PUT", body: { ...scopeOf(valve), on: true } };
  if (kind === "version-hold")
    return { path: `/api/v1/pipelines/${enc(pipeline ?? "")}/versions/${version}/release`, body: {} };
  return { path: "/api/v1/resume", body: scopeOf(valve) };
}

const VERBS = { hold: texts.resume, "version-hold": texts.release, switch: texts.switchOn } as const;

export const openingWord = ({ kind }: Valve) => VERBS[kind];

export function placeOf({ pipeline, version, stage }: Valve): string {
  return [pipeline ?? texts.everything, version === null ? "" : texts.version(version), stage ?? ""]
    .filter((part) => part !== "")
    .join(" · ");
}

export const keyOf = ({ kind, pipeline, version, stage }: Valve) => `${kind} ${pipeline} ${version} ${stage}`;

/** What switched this stage off: for all versions, or for this one. */
export function switchesOf(closed: readonly Valve[], pipeline: string, version: number, stage: string): Valve[] {
  return closed.filter(
    (one) =>
      one.kind === "switch" &&
      one.pipeline === pipeline &&
      one.stage === stage &&
      (one.version === null || one.version === version),
  );
}

function scopeOf({ pipeline, version, stage }: Valve): object {
  return {
    ...(pipeline === null ? {} : { pipeline }),
    ...(version === null ? {} : { version }),
    ...(stage === null ? {} : { stage }),
  };
}
