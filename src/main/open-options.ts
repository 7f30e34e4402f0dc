// From the configuration to how the engine is opened. Pure.

import type { OpenOptions, RetentionOptions } from "../engine/index.ts";
import type { Config } from "./config/settings.ts";
import type { Loaded } from "./load-module.ts";
import type { Log } from "./log.ts";

export type Part = "up" | "server" | "worker";

export interface Opening {
  readonly part: Part;
  readonly config: Config;
  readonly loaded: Loaded;
  readonly log: Log;
}

/** Answering takes connections besides those that the work takes. */
const CONNECTIONS: { readonly [Name in Part]: number } = { up: 10, server: 10, worker: 5 };

export function openOptions({ part, config, loaded, log }: Opening): OpenOptions {
  const works = part !== "server" && loaded.pipelines.length > 0;
  const { pipelines, finders, schedules, services } = loaded;
  const name = config["worker.name"];
  const stages = config["worker.stages"];
  return {
    pipelines,
    ...(works ? { finders, schedules, services } : {}),
    pooled: config["database.pooled"],
    connections: config["database.connections"] ?? CONNECTIONS[part],
    retention: retentionOf(config),
    log,
    worker: works && {
      concurrency: config["worker.concurrency"],
      deadAfter: config["worker.leaseTtlSec"] * 1_000,
      grace: config["worker.graceSec"] * 1_000,
      ...(name === undefined ? {} : { name }),
      ...(stages.length === 0 ? {} : { stages }),
    },
    ...(config["database.url"] === undefined ? {} : { database: config["database.url"] }),
  };
}

export function retentionOf(config: Config): RetentionOptions {
  const times = (["history", "audit", "signals"] as const).map((name) => [name, config[`retention.${name}`]] as const);
  return Object.fromEntries(times.filter(([, time]) => time !== undefined));
}
