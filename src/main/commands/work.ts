// `sluice up` and `sluice worker`: work on a module's pipelines until told to stop.

import path from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyPipeline, type Finder, openSluice, type Schedule } from "../../engine/index.ts";
import { type Config, ConfigError } from "../config.ts";
import { stderrLogger } from "../log.ts";

export async function workCommand(config: Config, module: string | undefined): Promise<void> {
  const { pipelines, finders, schedules } = module === undefined ? NOTHING : await load(module);
  const { name, ...limits } = config.worker;
  const sluice = await openSluice({
    pipelines,
    finders,
    schedules,
    pooled: config.pooled,
    log: stderrLogger,
    worker:
      module === undefined
        ? false
        : {
            concurrency: limits.concurrency,
            deadAfter: limits.deadAfterMs,
            grace: limits.graceMs,
            ...(name === undefined ? {} : { name }),
          },
    ...(config.database === undefined ? {} : { database: config.database }),
  });
  const named = pipelines.map((pipeline) => `${pipeline.name}@${pipeline.version}`).join(", ");
  process.stdout.write(named === "" ? "the database is up; no pipelines given\n" : `working on ${named}\n`);
  const signal = await stopSignal();
  process.stdout.write(`${signal}: handing back what is in hand\n`);
  await sluice.close();
}

interface Loaded {
  readonly pipelines: readonly AnyPipeline[];
  readonly finders: readonly Finder[];
  readonly schedules: readonly Schedule[];
}

const NOTHING: Loaded = { pipelines: [], finders: [], schedules: [] };

/** Every export that is a pipeline, a finder or a schedule, and every list of them. */
async function load(module: string): Promise<Loaded> {
  const file = path.resolve(module);
  let exported: Record<string, unknown>;
  try {
    exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    throw new ConfigError(`cannot load ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const all = [...new Set(Object.values(exported).flat())];
  const pipelines = all.filter(isPipeline);
  if (pipelines.length === 0) throw new ConfigError(`${file} exports no pipeline`);
  return { pipelines, finders: all.filter(isFinder), schedules: all.filter(isSchedule) };
}

function isFinder(value: unknown): value is Finder {
  return typeof value === "object" && value !== null && "find" in value && "everyMs" in value;
}

function isSchedule(value: unknown): value is Schedule {
  return typeof value === "object" && value !== null && "times" in value && "missed" in value;
}

function isPipeline(value: unknown): value is AnyPipeline {
  return typeof value === "object" && value !== null && "stages" in value && "shape" in value && "~types" in value;
}

/** A second signal while handing back ends the process at once, as if it had been killed. */
function stopSignal(): Promise<NodeJS.Signals> {
  // Nothing else may keep a process alive that only looks after the database.
  const alive = setInterval(() => {}, 3_600_000);
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      clearInterval(alive);
      process.once("SIGTERM", () => process.exit(1));
      process.once("SIGINT", () => process.exit(1));
      resolve(signal);
    };
    process.once("SIGTERM", stop);
    process.once("SIGINT", stop);
  });
}
