// Finders and schedules as a process was given them: checked against its pipelines and told to the database once.

import { InputError, type Logger } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { PipelineName } from "../pipeline/accepts.ts";
import type { Finder } from "../pipeline/finder.ts";
import type { Schedule } from "../pipeline/schedule.ts";
import type { Place, Registry } from "../workers/registry.ts";
import { registerFinders } from "./finder.sql.ts";
import { lastRuns, nowMs, registerSchedule } from "./schedule.sql.ts";

/** One with the place where its items enter. */
export interface Placed<What> {
  readonly what: What;
  readonly first: Place;
}

export type PlacedByName<What> = ReadonlyMap<string, Placed<What>>;

function placed<What extends { readonly name: string; readonly pipeline: PipelineName }>(
  kind: "finders" | "schedules",
  given: readonly What[],
  registry: Pick<Registry, "placesOf">,
): PlacedByName<What> {
  if (!Array.isArray(given)) throw new InputError(kind, `${kind} is a list`);
  const byName = new Map<string, Placed<What>>();
  for (const [index, what] of given.entries()) {
    const field = `${kind}[${index}]`;
    if (typeof what?.name !== "string") throw new InputError(field, `${field} was not made by ${kind.slice(0, -1)}()`);
    const [first] = registry.placesOf(what.pipeline) ?? [];
    if (first === undefined) {
      const { name, version } = what.pipeline;
      throw new InputError(
        field,
        `${field} "${what.name}" is for ${name}@${version}, which was not given to openSluice`,
      );
    }
    if (byName.has(what.name)) throw new InputError(field, `two ${kind} have the name "${what.name}"`);
    byName.set(what.name, { what, first });
  }
  return byName;
}

export interface RecurringPorts {
  readonly finders?: readonly Finder[];
  readonly schedules?: readonly Schedule[];
}

export class Recurring {
  readonly finders: PlacedByName<Finder>;
  readonly schedules: PlacedByName<Schedule>;

  constructor(given: RecurringPorts, registry: Pick<Registry, "placesOf">) {
    this.finders = placed("finders", given.finders ?? [], registry);
    this.schedules = placed("schedules", given.schedules ?? [], registry);
  }

  /** Notices what is new, and what was changed in code. */
  async register({ db, log }: { readonly db: Queryable; readonly log: Logger }): Promise<void> {
    if (this.finders.size > 0)
      await registerFinders(
        db,
        [...this.finders.values()].map(({ what }) => what),
      );
    if (this.schedules.size === 0) return;
    const now = await nowMs(db);
    const lastOf = await lastRuns(db, [...this.schedules.keys()]);
    for (const { what } of this.schedules.values()) {
      const { name, times } = what;
      // After a clock that was set back, what has been run lies ahead of us, and is not run again.
      const next = times.next(Math.max(now, lastOf.get(name) ?? 0));
      const isNew = await registerSchedule(db, name, times.rule, next === null ? null : new Date(next));
      if (isNew) log.info("schedule.planned", { schedule: name, rule: times.rule });
    }
  }
}
