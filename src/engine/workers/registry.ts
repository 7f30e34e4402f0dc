// Which lanes exist for the pipelines this process has the code of.

import { InputError, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { AnyPipeline } from "../pipeline/pipeline.ts";
import type { Stage } from "../pipeline/stage.ts";
import { registerLane, registerPipeline } from "./registry.sql.ts";

/** One stage of one pipeline version, and the lane its items are claimed from. */
export interface Place {
  readonly lane: number;
  readonly pipeline: AnyPipeline;
  readonly pipelineId: number;
  readonly index: number;
  readonly stage: Stage;
  /** All stages of its pipeline version, itself among them. */
  readonly siblings: readonly Place[];
}

export class Registry {
  readonly #byLane = new Map<number, Place>();
  readonly #byPipeline = new Map<string, readonly Place[]>();

  static async register(db: Queryable, pipelines: readonly AnyPipeline[]): Promise<Registry> {
    const registry = new Registry();
    for (const pipeline of pipelines) await registry.#add(db, pipeline);
    return registry;
  }

  async #add(db: Queryable, pipeline: AnyPipeline): Promise<void> {
    const title = keyOf(pipeline);
    if (pipeline.stages.length === 0) throw new InputError(pipeline.name, `pipeline ${title} has no stages`);
    if (this.#byPipeline.has(title)) throw new InputError("pipelines", `pipeline ${title} is given twice`);
    const stages = pipeline.stages.map((stage) => stage.name);
    const stored = await registerPipeline(db, pipeline.name, pipeline.version, { shape: pipeline.shape, stages });
    if (stored.shape !== pipeline.shape) {
      throw new SluiceError(
        "SHAPE_CHANGED",
        `pipeline ${title} was started before with the stages ${stored.stages.join(" → ")} and now has ${stages.join(" → ")}; ` +
          `raise its version to ${pipeline.version + 1} and keep the old one until its items have ended`,
      );
    }
    const places: Place[] = [];
    for (const [index, stage] of pipeline.stages.entries()) {
      const lane = await registerLane(db, stored.id, index, stage.concurrency ?? null);
      const place = { lane, pipeline, pipelineId: stored.id, index, stage, siblings: places };
      places.push(place);
      this.#byLane.set(lane, place);
    }
    this.#byPipeline.set(title, places);
  }

  /** Undefined for a pipeline this process was not opened with. */
  placesOf(pipeline: { readonly name: string; readonly version: number }): readonly Place[] | undefined {
    return this.#byPipeline.get(keyOf(pipeline));
  }

  /** The stage an item is in, given any lane of its pipeline. */
  place(lane: number, index: number): Place | undefined {
    return this.#byLane.get(lane)?.siblings[index];
  }

  /** Furthest stage first, so that what was begun is finished before more is begun. */
  lanes(): readonly Place[] {
    return [...this.#byLane.values()].sort((a, b) => b.index - a.index || a.lane - b.lane);
  }

  pipelineIds(): number[] {
    return [...new Set([...this.#byLane.values()].map((place) => place.pipelineId))];
  }
}

function keyOf(pipeline: { readonly name: string; readonly version: number }): string {
  return `${pipeline.name}@${pipeline.version}`;
}
