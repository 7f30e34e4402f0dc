// Whether anything was ever handed in here, and the lines that hand in the first. Pure.

import type { Overview, Trends } from "../../../../src/server/contract/wire.ts";
import { isOfApp } from "../../frame/places.ts";

type Standing = Overview["pipelines"][number];

/** The engine's own, which takes away what was left behind elsewhere. */
export const CLEANUP = "cleanup";

/** One that is handed work from a shell or a program: those of applications are handed theirs on pages of their own. */
export function firstPipeline(names: readonly string[], had: Parameters<typeof isOfApp>[1]): string | undefined {
  return names.find((name) => name !== CLEANUP && !isOfApp(name, had));
}

/** Nothing stands anywhere, nothing ended lately, nothing took any time. */
export function isFresh(pipelines: readonly Standing[], { week }: Pick<Trends, "week">): boolean {
  const isIdle = ({ queued, running, waiting, needsYou, failed, done, took }: Standing) =>
    queued + running + waiting + needsYou + failed + done === 0 && took === null;
  return pipelines.every(isIdle) && week.done + week.failed === 0;
}

const EXAMPLE = { title: "My first" };

/** For a shell, to be copied; the key is to be put in by whoever has one. */
export function firstLines(origin: string, pipeline: string): { readonly cli: string; readonly api: string } {
  const input = JSON.stringify(EXAMPLE);
  return {
    cli: `SLUICE_URL=${origin} SLUICE_API_KEY=slk_… sluice submit ${pipeline} '${input}'`,
    api:
      `curl ${origin}/api/v1/requests -H "authorization: Bearer slk_…" -H "content-type: application/json" ` +
      `-d '{"pipeline":"${pipeline}","inputs":[${input}]}'`,
  };
}
