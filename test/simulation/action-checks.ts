// The checks of what only some seeds have.

import { BulkChecks } from "./bulk-checks.ts";
import type { Counts } from "./counts.ts";
import { DeadlineChecks } from "./deadline-checks.ts";
import type { Entities } from "./entities.ts";
import { FinderChecks } from "./finder-checks.ts";
import { schedulesOf } from "./recurring.ts";
import { RemovalChecks } from "./removal-checks.ts";
import { ScheduleChecks } from "./schedule-checks.ts";
import type { Kinds } from "./swarm.ts";

export interface ActionChecks {
  readonly bulk?: BulkChecks;
  readonly finders?: FinderChecks;
  readonly schedules?: ScheduleChecks;
  readonly deadlines?: DeadlineChecks;
  readonly removal?: RemovalChecks;
}

export const NO_CHECKS: ActionChecks = {};

interface CheckPorts {
  readonly seed: number;
  readonly counts: Counts;
  readonly entities: Entities;
  clock(): number;
  isHealed(): boolean;
}

export function actionChecksOf(kinds: Kinds, { seed, counts, entities, clock, isHealed }: CheckPorts): ActionChecks {
  const removal = kinds.has("removal") ? new RemovalChecks(counts) : undefined;
  return {
    ...(removal === undefined ? {} : { removal }),
    ...(kinds.has("bulk") ? { bulk: new BulkChecks(counts) } : {}),
    ...(kinds.has("finders") ? { finders: new FinderChecks(entities, counts, removal) } : {}),
    ...(kinds.has("schedules") ? { schedules: new ScheduleChecks(schedulesOf(seed), counts, removal) } : {}),
    ...(kinds.has("deadlines") ? { deadlines: new DeadlineChecks(counts, clock, isHealed) } : {}),
  };
}
