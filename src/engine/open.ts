// `openSluice`: from a list of pipelines to a running engine.

import { type Duration, InputError, type Logger, silentLogger, toMilliseconds } from "../kit/index.ts";
import type { Around } from "./pipeline/around.ts";
import type { Finder } from "./pipeline/finder.ts";
import type { AnyPipeline } from "./pipeline/pipeline.ts";
import type { Schedule } from "./pipeline/schedule.ts";
import { type RetentionOptions, retentionLimits } from "./retention/limits.ts";
import type { Sluice } from "./sluice.ts";
import type { WorkerLimits } from "./start.ts";
import { LIVENESS } from "./workers/observer.ts";
import { hostChild, isChildProcess } from "./workers/os/index.ts";
import type { GivenClients } from "./workers/service-clients.ts";

export interface OpenOptions {
  /** Every pipeline, and every version of it that may still have items. */
  readonly pipelines: readonly AnyPipeline[];
  /** What speaks to each service, by its name; a family's by the family's name, as a function of the instance. */
  readonly services?: GivenClients;
  /** What looks for work by itself; run by whichever worker comes first. */
  readonly finders?: readonly Finder[];
  /** What hands in work at set times. */
  readonly schedules?: readonly Schedule[];
  /** Wrapped around every visit, the first outermost: for logging, tracing, a context. */
  readonly around?: readonly Around[];
  /** `postgres://…`, or a folder for a PostgreSQL of Sluice's own. Default: DATABASE_URL, else `./data`. */
  readonly database?: string;
  /** The URL leads through a pooler in transaction mode, such as PgBouncer. */
  readonly pooled?: boolean;
  /** In the pool, at most, besides the one that beats and the one that listens. Default 5; more for a process that answers many. */
  readonly connections?: number;
  /** False for a process that only submits and asks. */
  readonly worker?: false | WorkerOptions;
  /** Accepts a server with fsync or synchronous_commit off. */
  readonly allowDataLoss?: boolean;
  /** Changes how long things are kept that belong to no pipeline; stored, and the same for all processes from then on. */
  readonly retention?: RetentionOptions;
  readonly log?: Logger;
}

export interface WorkerOptions {
  /** Shown in history. Default: the host's name. */
  readonly name?: string;
  /** Items in this process's hands at a time. Default 100. */
  readonly concurrency?: number;
  /** How long to wait before looking for work again when nothing woke us. Default 1 s. */
  readonly poll?: Duration;
  /** How long `close()` waits for visits before it hands them back. Default 30 s. */
  readonly grace?: Duration;
  /** Works on these stages alone, by name, in all its pipelines; others may work on the rest. Default: all. */
  readonly stages?: readonly string[];
  /** A worker whose beat stands still for this long is dead. Default 8 s; the same for all workers of a database. */
  readonly deadAfter?: Duration;
}

export async function openSluice(options: OpenOptions): Promise<Sluice> {
  const { pipelines, services = {}, around = [], worker = {}, pooled = false, log = silentLogger } = options;
  if (!Array.isArray(pipelines)) throw new InputError("pipelines", "openSluice needs a list of pipelines");
  if (typeof services !== "object" || services === null)
    throw new InputError("services", "services is an object: { name: client }");
  if (!Array.isArray(around) || around.some((one) => typeof one !== "function"))
    throw new InputError("around", "around is a list of functions: async (visit, next) => { … await next(); … }");
  // Started by a parent to visit its suspects: no database, no worker, only the pipelines.
  if (isChildProcess()) return await hostChild(pipelines, services, around);
  // Loaded only now: a child needs none of it, and what a dead worker held waits for children to come up.
  const { startSluice } = await import("./start.ts");
  const { DATABASE_URL } = process.env;
  const database = options.database ?? (DATABASE_URL === undefined || DATABASE_URL === "" ? "./data" : DATABASE_URL);
  const limits = worker === false ? undefined : workerLimits(worker);
  return await startSluice({
    pipelines,
    services,
    finders: options.finders ?? [],
    schedules: options.schedules ?? [],
    around,
    database,
    pooled,
    connections: connectionsOf(options.connections),
    allowDataLoss: options.allowDataLoss ?? false,
    retention: retentionLimits(options.retention),
    log,
    limits,
  });
}

/** With one alone, whoever needs a second while it holds the first would wait for ever. */
function connectionsOf(connections: number | undefined): number | undefined {
  if (connections === undefined || (Number.isInteger(connections) && connections >= 2 && connections <= 1_000))
    return connections;
  throw new InputError("connections", `connections must be a whole number from 2 to 1000, got ${connections}`);
}

function stagesOf(stages: readonly string[] | undefined): readonly string[] | undefined {
  if (stages === undefined) return undefined;
  if (!Array.isArray(stages) || stages.length === 0 || stages.some((one) => typeof one !== "string"))
    throw new InputError("worker.stages", 'worker.stages is a list of names, such as ["encode"]');
  return stages;
}

const DEAD_AFTER_SHORTEST_MS = 5_000;

function workerLimits(options: WorkerOptions): WorkerLimits {
  const { concurrency = 100, name } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 100_000) {
    throw new InputError(
      "worker.concurrency",
      `worker.concurrency must be a whole number from 1 to 100000, got ${concurrency}`,
    );
  }
  const deadAfterMs = toMilliseconds(options.deadAfter ?? LIVENESS.deadAfterMs, "worker.deadAfter");
  if (deadAfterMs < DEAD_AFTER_SHORTEST_MS) {
    throw new InputError("worker.deadAfter", "worker.deadAfter must be at least 5 s: two beats and some patience");
  }
  return {
    name,
    concurrency,
    deadAfterMs,
    pollMs: Math.max(1, toMilliseconds(options.poll ?? "1s", "worker.poll")),
    graceMs: toMilliseconds(options.grace ?? "30s", "worker.grace"),
    stages: stagesOf(options.stages),
  };
}
