// Which lanes exist for the pipelines this process has the code of. Most are known from the start; the lane of a stage and a
// service appears when an item first needs it, here or in another process.

import { BugError, InputError, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { Keep } from "../pipeline/keep.ts";
import type { AnyPipeline } from "../pipeline/pipeline.ts";
import type { Stage } from "../pipeline/stage.ts";
import { storeKeep } from "../retention/policy.sql.ts";
import {
  type FoundPipeline,
  findPipelines,
  isRegistered,
  type LaneRow,
  lanesOf,
  type NewLane,
  registerLane,
  registerPipeline,
} from "./registry.sql.ts";

/** One stage of one pipeline version, and the lane its items are claimed from. */
export interface Place {
  readonly lane: number;
  /** Whose breaker, capacity and rate hold it; "" for nobody's. */
  readonly service: string;
  readonly pipeline: AnyPipeline;
  readonly pipelineId: number;
  readonly index: number;
  readonly stage: Stage;
  /** The places by which each stage of its pipeline version is entered, its own among them. */
  readonly siblings: readonly Place[];
}

/** The engine's own pipeline, of what has to be removed outside. */
export const CLEANUP = "cleanup";

/** What the database has of a pipeline when a process starts. */
interface Found {
  readonly stored: FoundPipeline | undefined;
  readonly lanes: readonly LaneRow[];
}

interface Known {
  readonly pipeline: AnyPipeline;
  readonly entries: readonly Place[];
}

export class Registry {
  readonly #byLane = new Map<number, Place>();
  readonly #byPipeline = new Map<string, Known>();
  readonly #byId = new Map<number, Known>();
  readonly #stages: ReadonlySet<string> | undefined;

  constructor(stages?: readonly string[]) {
    this.#stages = stages === undefined ? undefined : new Set(stages);
  }

  /** With `stages` it serves those alone; it knows the others all the same, for items go on to them. */
  static async register(
    db: Queryable,
    pipelines: readonly AnyPipeline[],
    stages?: readonly string[],
  ): Promise<Registry> {
    checkStages(stages, pipelines);
    const registry = new Registry(stages);
    const found = new Map((await findPipelines(db, pipelines)).map((stored) => [keyOf(stored), stored]));
    const lanes = await lanesOf(
      db,
      [...found.values()].map(({ id }) => id),
    );
    for (const pipeline of pipelines) {
      const stored = found.get(keyOf(pipeline));
      await registry.#add(db, pipeline, { stored, lanes: lanes.filter((lane) => lane.pipeline_id === stored?.id) });
    }
    await registry.refresh(db);
    return registry;
  }

  async #add(db: Queryable, pipeline: AnyPipeline, found: Found): Promise<void> {
    const title = keyOf(pipeline);
    if (pipeline.stages.length === 0) throw new InputError(pipeline.name, `pipeline ${title} has no stages`);
    if (this.#byPipeline.has(title)) throw new InputError("pipelines", `pipeline ${title} is given twice`);
    const stages = pipeline.stages.map((stage) => stage.name);
    const { shape, keep } = pipeline;
    const stored = found.stored ?? (await registerPipeline(db, pipeline.name, pipeline.version, { shape, stages }));
    if (stored.shape !== shape) {
      throw new SluiceError(
        "SHAPE_CHANGED",
        `pipeline ${title} was started before ${changeOf(stored.stages, stages, pipeline.fair)}; ` +
          `raise its version to ${pipeline.version + 1} and keep the old one until its items have ended`,
      );
    }
    if (!isSameKeep(found.stored?.keep, keep)) await storeKeep(db, stored.id, keep);
    const entries: Place[] = [];
    const known = { pipeline, entries };
    this.#byPipeline.set(title, known);
    this.#byId.set(stored.id, known);
    for (const [index, stage] of pipeline.stages.entries()) {
      for (const lane of lanesAtStart(index, stage)) {
        const row = found.lanes.find((one) => isRegistered(one, lane)) ?? (await registerLane(db, stored.id, lane));
        const place = this.#learn(known, row);
        if (lane.isEntry) entries.push(place);
      }
    }
  }

  #learn(known: Known, row: LaneRow): Place {
    const { pipeline, entries } = known;
    const stage = pipeline.stages[row.stage];
    if (stage === undefined) throw new BugError(`lane ${row.id} belongs to no stage of ${keyOf(pipeline)}`);
    const { id: lane, service, pipeline_id: pipelineId, stage: index } = row;
    const place = { lane, service, pipeline, pipelineId, index, stage, siblings: entries };
    this.#byLane.set(lane, place);
    return place;
  }

  /** Learns of lanes that others have made. */
  async refresh(db: Queryable): Promise<void> {
    for (const row of await lanesOf(db, [...this.#byId.keys()])) {
      const known = this.#byId.get(row.pipeline_id);
      if (known !== undefined && !this.#byLane.has(row.id)) this.#learn(known, row);
    }
  }

  /** The lane of a stage and a service, made when it is new. Others learn of it with their next look at the valves. */
  async laneFor(db: Queryable, at: Place, service: string): Promise<Place> {
    const found = this.placeFor(at, service);
    if (found !== undefined) return found;
    const known = this.#byId.get(at.pipelineId) as Known;
    // Removing what is superfluous frees capacity, so it must not wait for any.
    const takesCapacity = at.pipeline.name !== CLEANUP;
    const lane = { stage: at.index, service, ...limitsOf(at.stage), isEntry: false, takesCapacity };
    return this.#learn(known, await registerLane(db, at.pipelineId, lane));
  }

  /** The same, where it is known already. */
  placeFor(at: Place, service: string): Place | undefined {
    for (const place of this.#byLane.values()) {
      if (place.pipelineId === at.pipelineId && place.index === at.index && place.service === service) return place;
    }
    return undefined;
  }

  /** Where each stage is entered. Undefined for a pipeline this process was not opened with. */
  placesOf(pipeline: { readonly name: string; readonly version: number }): readonly Place[] | undefined {
    return this.#byPipeline.get(keyOf(pipeline))?.entries;
  }

  /** The newest version of a pipeline this process was opened with. */
  newestOf(name: string): number | undefined {
    const versions = [...this.#byId.values()].filter(({ pipeline }) => pipeline.name === name);
    return versions.length === 0 ? undefined : Math.max(...versions.map(({ pipeline }) => pipeline.version));
  }

  /** The stage an item is in, given any lane of its pipeline: that lane where it is one of the stage, else its entry. */
  place(lane: number, index: number): Place | undefined {
    const from = this.#byLane.get(lane);
    return from?.index === index ? from : from?.siblings[index];
  }

  lane(lane: number): Place | undefined {
    return this.#byLane.get(lane);
  }

  /** Undefined where this process lacks the pipeline's code, as for the next. */
  pipelineOf(pipelineId: number): AnyPipeline | undefined {
    return this.#byId.get(pipelineId)?.pipeline;
  }

  stageOf(pipelineId: number, index: number): Stage | undefined {
    return this.pipelineOf(pipelineId)?.stages[index];
  }

  /** Those it serves, the furthest stage first, so that what was begun is finished before more is begun. */
  lanes(): readonly Place[] {
    return [...this.#byLane.values()]
      .filter((place) => this.serves(place))
      .sort((a, b) => b.index - a.index || a.lane - b.lane);
  }

  /** Removing what is superfluous outside is everybody's. */
  serves({ stage, pipeline }: Place): boolean {
    return this.#stages === undefined || this.#stages.has(stage.name) || pipeline.name === CLEANUP;
  }

  /** By name; null for all of them. */
  stages(): readonly string[] | null {
    return this.#stages === undefined ? null : [...this.#stages];
  }

  /** Those that some lane belongs to. */
  services(): string[] {
    const all = new Set([...this.#byLane.values()].map((place) => place.service));
    all.delete("");
    return [...all];
  }

  pipelineIds(): number[] {
    return [...this.#byId.keys()];
  }
}

function checkStages(stages: readonly string[] | undefined, pipelines: readonly AnyPipeline[]): void {
  const known = new Set(
    pipelines.filter(({ name }) => name !== CLEANUP).flatMap((one) => one.stages.map(({ name }) => name)),
  );
  const unknown = stages?.find((stage) => !known.has(stage));
  if (unknown !== undefined)
    throw new InputError("worker.stages", `no pipeline has a stage ${unknown}; there is ${[...known].join(", ")}`);
}

/**
 * A stage that depends on a service is entered by that service's lane. Outside work is finished in the plain one: it must
 * not queue behind a thousand starts, nor wait for a breaker.
 */
function lanesAtStart(index: number, stage: Stage): NewLane[] {
  const { uses, outside, parts } = stage;
  const common = { stage: index, ...limitsOf(stage), takesCapacity: true };
  if (uses === undefined) return [{ ...common, service: "", isEntry: true }];
  const entered = { ...common, service: uses.name, isEntry: parts === undefined };
  // An item with parts makes them before anybody is asked to do anything.
  if (parts !== undefined) return [entered, { ...common, service: "", isEntry: true }];
  return outside === undefined ? [entered] : [entered, { ...common, service: "", isEntry: false }];
}

/** Where places are counted, by the stage or by a service: one enters by claiming under a lock only. */
export function isCounted({ stage, service }: Place): boolean {
  return service !== "" || stage.concurrency !== undefined || stage.perKey !== undefined;
}

/** What of its shape changed, as "with this and now that". */
function changeOf(stored: readonly string[], stages: readonly string[], fair: boolean): string {
  const [before, now] = [stored.join(" → "), stages.join(" → ")];
  if (before !== now) return `with the stages ${before} and now has ${now}`;
  return fair ? "without fair: true and now has it" : "with fair: true and now is without";
}

function isSameKeep(stored: Keep | undefined, { done, failed, cancelled }: Keep): boolean {
  return stored?.done === done && stored.failed === failed && stored.cancelled === cancelled;
}

function limitsOf({ concurrency, perKey }: Stage): Pick<NewLane, "cap" | "perKey"> {
  return { cap: concurrency ?? null, perKey: perKey ?? null };
}

function keyOf(pipeline: { readonly name: string; readonly version: number }): string {
  return `${pipeline.name}@${pipeline.version}`;
}
