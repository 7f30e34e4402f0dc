// The five figures that a week is judged by. Pure; the server has counted them.

import type { Trends } from "../../../../src/server/contract/wire.ts";
import { count, length } from "../../text/format.ts";
import { words } from "../../text/words.ts";

const texts = words.overview.week;

interface Figure {
  readonly label: string;
  readonly value: string;
  readonly about: string;
}

/** What is not known of whoever looks is left out; what did not happen is 0, which is good to know. */
export function figuresOf(week: Trends["week"]): Figure[] {
  const { done, failed, failureRate, took, stalls, breakerOpenings, checkpointResumes } = week;
  return [
    took === null
      ? { label: texts.took.label, value: words.none, about: texts.took.none }
      : { label: texts.took.label, value: length(took.meanMs), about: texts.took.about(took.p50Ms, took.p90Ms) },
    failureRate === null
      ? { label: texts.failed.label, value: words.none, about: texts.failed.none }
      : { label: texts.failed.label, value: texts.failed.value(failureRate), about: texts.failed.about(failed, done) },
    ...counted(stalls, texts.stalls),
    ...counted(breakerOpenings, texts.openings),
    ...counted(checkpointResumes, texts.resumes),
  ];
}

const counted = (times: number | null, told: Omit<Figure, "value">): Figure[] =>
  times === null ? [] : [{ ...told, value: count(times) }];
