// A schedule: hands in work at times that a cron expression names.

import { type Duration, InputError, toMilliseconds } from "../../kit/index.ts";
import { type Accepts, type PipelineName, pipelineName } from "./accepts.ts";
import { isName, nameError } from "./pipeline.ts";
import { type Timetable, timetable } from "./timetable.ts";

/**
 * What becomes of times that passed while nobody was there: the last of them is made up for, none of them is, or each
 * (the newest hundred at most).
 */
export type Missed = "once" | "skip" | "all";

export interface ScheduledRun {
  /** The planned time, however late it is. */
  readonly at: Date;
}

interface ScheduleCommon<Asked> {
  /** Five parts, or six with seconds in front; also @hourly, @daily, @weekly, @monthly, @yearly. */
  readonly cron: string;
  /** Whose clocks are meant. Default UTC; never the machine's. */
  readonly zone?: string;
  readonly missed?: Missed;
  readonly pipeline: Accepts<Asked>;
  /** Stands in front of the planned time in the key of each request. Default: the schedule's name. */
  readonly key?: string;
  readonly owner?: string;
  readonly priority?: number;
  /** How long `inputs` may take. Default 1 min. */
  readonly timeout?: Duration;
}

export type ScheduleDefinition<Asked> = ScheduleCommon<Asked> &
  (
    | { readonly input: NoInfer<Asked>; readonly inputs?: never }
    | {
        readonly input?: never;
        /** One item for each; none at all is fine. Several processes may ask at once, so it should only look. */
        readonly inputs: (run: ScheduledRun) => readonly NoInfer<Asked>[] | Promise<readonly NoInfer<Asked>[]>;
      }
  );

/** Checked, and its types forgotten. */
export interface Schedule {
  readonly name: string;
  readonly times: Timetable;
  readonly missed: Missed;
  readonly pipeline: PipelineName;
  readonly key: string;
  readonly owner: string | undefined;
  readonly priority: number | undefined;
  readonly timeoutMs: number;
  readonly inputs: (run: ScheduledRun) => unknown;
}

const TIMEOUT_LONGEST_MS = 3_600_000;

export function schedule<Asked>(name: string, definition: ScheduleDefinition<Asked>): Schedule {
  if (!isName(name)) throw nameError("schedule", name);
  const { cron, zone = "UTC", missed = "once", pipeline, key = name, owner, priority } = definition ?? {};
  const { input, inputs, timeout = "1m" } = definition ?? {};
  if (!["once", "skip", "all"].includes(missed)) {
    throw new InputError(`${name}.missed`, `${name}.missed is "once", "skip" or "all", got ${JSON.stringify(missed)}`);
  }
  if (typeof inputs !== "function" && input === undefined) {
    throw new InputError(`${name}.input`, `schedule "${name}" needs an input, or a function inputs`);
  }
  if (typeof key !== "string" || key === "") throw new InputError(`${name}.key`, `${name}.key must be text`);
  const timeoutMs = toMilliseconds(timeout, `${name}.timeout`);
  if (timeoutMs < 1 || timeoutMs > TIMEOUT_LONGEST_MS) {
    throw new InputError(`${name}.timeout`, `${name}.timeout must be above zero and at most 1 h`);
  }
  return Object.freeze({
    name,
    times: timetable(cron, zone, name),
    missed,
    pipeline: pipelineName(pipeline, `${name}.pipeline`),
    key,
    owner,
    priority,
    timeoutMs,
    inputs: inputs ?? (() => [input]),
  });
}
