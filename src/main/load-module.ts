// What a module exports for us to work on.

import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyPipeline, Finder, OpenOptions, Schedule } from "../engine/index.ts";
import { UsageError } from "./exit.ts";

export interface Loaded {
  readonly pipelines: readonly AnyPipeline[];
  readonly finders: readonly Finder[];
  readonly schedules: readonly Schedule[];
  /** What speaks to each service, by its name: an export called `services`. */
  readonly services: NonNullable<OpenOptions["services"]>;
}

export const NOTHING: Loaded = { pipelines: [], finders: [], schedules: [], services: {} };

/** Every export that is a pipeline, a finder or a schedule, and every list of them; and the clients of services. */
export async function loadModule(module: string): Promise<Loaded> {
  const file = path.resolve(module);
  if (!existsSync(file))
    throw new UsageError(
      `cannot load ${file}: there is no such file`,
      "name a file that exports pipelines: docs/writing-a-stage.md shows one",
    );
  let exported: Record<string, unknown>;
  try {
    exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(
      `cannot load ${file}: ${error instanceof Error ? error.message : String(error)}`,
      "name a file that exports pipelines: docs/writing-a-stage.md shows one",
    );
  }
  const all = [...new Set(Object.values(exported).flat())];
  const pipelines = all.filter(isPipeline);
  if (pipelines.length === 0)
    throw new UsageError(
      `${file} exports no pipeline`,
      "export what definePipeline gives you: docs/writing-a-stage.md",
    );
  return {
    pipelines,
    finders: all.filter(isFinder),
    schedules: all.filter(isSchedule),
    services: servicesOf(exported.services, file),
  };
}

function servicesOf(services: unknown, file: string): Loaded["services"] {
  if (services === undefined) return {};
  if (typeof services !== "object" || services === null || Array.isArray(services))
    throw new UsageError(
      `services of ${file} is an object of clients: { name: client }`,
      "export const services = { encoder: httpJobs(…) }: docs/cli.md shows one",
    );
  return { ...services };
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
