// How work went, for whoever looks at all of it. Nothing here changes anything.

import type { EnginePorts } from "./engine-ports.ts";
import type { AnyPipeline } from "./pipeline/pipeline.ts";
import type { FailureGroups, FailuresOptions } from "./read/failures.ts";
import { inOrder } from "./read/in-order.sql.ts";
import type { StageLimits } from "./read/limits.ts";
import type { OwnStage } from "./read/own-stages.sql.ts";
import type { ServiceDetail, ServiceOptions } from "./read/service-detail.ts";
import type { Trends, TrendsOptions } from "./read/trends.ts";
import type { Registry } from "./workers/registry.ts";

export class Overview {
  readonly #ports: EnginePorts;
  readonly #pipelineOf: (pipelineId: number) => AnyPipeline | undefined;

  constructor(ports: EnginePorts, registry: Registry) {
    this.#ports = ports;
    this.#pipelineOf = (id) => registry.pipelineOf(id);
  }

  /** How work went over the last hour, day, week or month, and why it failed; of one owner's items, where one is named. */
  async trends(options: TrendsOptions = {}): Promise<Trends> {
    return await (await import("./read/trends.ts")).readTrends(this.#ports.db, options);
  }

  /** What has failed, by what it failed of: of the newest failures, of one pipeline or owner where one is named. */
  async failures(options: FailuresOptions = {}): Promise<FailureGroups> {
    const { readFailures } = await import("./read/failures.ts");
    return await inOrder(this.#ports.db, (tx) => readFailures(tx, (id) => this.#pipelineOf(id) !== undefined, options));
  }

  /** How many each stage takes at a time and how many are inside, by its services; and what its code says of tries and times. */
  async limits(): Promise<StageLimits[]> {
    return await (await import("./read/limits.ts")).readLimits(this.#ports.db, this.#pipelineOf);
  }

  /** Where the live items of one owner stand, by stage and service. */
  async ownStages(owner: string): Promise<OwnStage[]> {
    return await (await import("./read/own-stages.sql.ts")).ownStages(this.#ports.db, owner);
  }

  /** One service: how it stands, what it last said, what it holds up, when its breaker turned, how long its calls take. */
  async service(name: string, options: ServiceOptions = {}): Promise<ServiceDetail> {
    return await (await import("./read/service-detail.ts")).readService(this.#ports.db, name, options);
  }
}
