// The submission of one planned run.

import { InputError } from "../../kit/index.ts";
import type { Schedule } from "../pipeline/schedule.ts";
import type { Place } from "../workers/registry.ts";
import { type AnswerPorts, answerInTime } from "./answer-in-time.ts";
import { checkSubmission, type Submission } from "./submission.ts";

/**
 * The planned time is in the key, so that a run that is handed in once more is the same request. Not for ever: a schedule of
 * every minute would leave half a million keys a year, and after this long nobody repeats anything.
 */
const KEY_WINDOW = "30d";

/** Null when there is nothing to do at that time. */
export async function scheduledSubmission(
  schedule: Schedule,
  first: Place,
  at: Date,
  ports: AnswerPorts,
): Promise<Submission | null> {
  const { name, key, owner, priority } = schedule;
  const inputs = await answerInTime(ports, `schedule "${name}"`, schedule.timeoutMs, () => schedule.inputs({ at }));
  if (!Array.isArray(inputs)) throw new InputError("inputs", `inputs of schedule "${name}" must answer a list`);
  if (inputs.length === 0) return null;
  const options = {
    key: `${key}@${at.toISOString()}`,
    unique: { window: KEY_WINDOW },
    ...(owner === undefined ? {} : { owner }),
    ...(priority === undefined ? {} : { priority }),
  };
  return await checkSubmission(first, inputs, options, ports.clock);
}
