// The history checker: a pure function from all that is known about a run to all that is wrong with it.

import { checkEffects } from "./check-effects.ts";
import { checkJobs } from "./check-jobs.ts";
import { checkJournal } from "./check-journal.ts";
import { checkSubmissions } from "./check-submissions.ts";
import type { Evidence, Finding } from "./evidence.ts";

export function check(evidence: Evidence): Finding[] {
  return [
    ...checkSubmissions(evidence),
    ...checkJournal(evidence),
    ...checkEffects(evidence),
    ...checkJobs(evidence),
    ...evidence.explained.wrong.map((one): Finding => ({ kind: "other", ...one })),
  ];
}
