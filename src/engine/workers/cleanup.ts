// What is owed outside, as items of an internal pipeline: each removes one thing, and is retried, held, explained and kept
// in history like every other item. It is never given up: a removal that is refused waits and is tried again.

import { InputError, invariant, type Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { insertRequests, type NewItem } from "../intake/submit.sql.ts";
import { assignCleanup, endIntents, owedIntents, owedServices, readIntent } from "../items/intent.sql.ts";
import { toFault } from "../pipeline/fault.ts";
import { again, done, type Outcome, wait } from "../pipeline/outcome.ts";
import type { OutsideWork } from "../pipeline/outside.ts";
import { type AnyPipeline, definePipeline, type InputSchema } from "../pipeline/pipeline.ts";
import type { Service } from "../pipeline/service.ts";
import type { Visit } from "../pipeline/stage.ts";
import { CLEANUP, type Registry } from "./registry.ts";

interface Owed {
  readonly key: string;
}

export interface CleanupPorts {
  readonly db: Database;
  /** Known once it was registered, which needs this pipeline first. */
  registry(): Registry;
}

/** Only the engine submits to it, so there is nothing to check. */
const input: InputSchema<Owed, Owed> = {
  "~standard": { version: 1, vendor: "sluice", validate: (value) => ({ value: value as Owed }) },
};

/** A start that was asked for before its item was cancelled may still arrive; this long after its own limit it cannot. */
const STRAGGLER_MS = 60_000;
const LOOK_EVERY_MS = 10_000;
/** What is superfluous takes up the capacity that everybody else waits for. */
const CLEANUP_PRIORITY = 2;

function cleanupPipeline(ports: CleanupPorts) {
  return definePipeline(CLEANUP, { version: 1, input, keep: { done: "7d", cancelled: "7d" } }).stage("remove", {
    run: (visit) => remove(visit, ports),
    commit: async (tx, items) =>
      await endIntents(
        tx,
        items.map((one) => one.input.key),
      ),
    attempts: 1_000,
    backoff: { base: "10s", cap: "30m" },
    timeout: "2m",
  });
}

/** The engine's own pipeline, where anything happens outside that may have to be removed. */
export function withCleanup(
  pipelines: readonly AnyPipeline[],
  db: Database,
  registry: () => Registry,
): readonly AnyPipeline[] {
  if (pipelines.some((pipeline) => pipeline.name === CLEANUP))
    throw new InputError("pipelines", `the name "${CLEANUP}" is the engine's own; give the pipeline another one`);
  const isOutside = pipelines.some((pipeline) => pipeline.stages.some((stage) => stage.outside !== undefined));
  return isOutside ? [...pipelines, cleanupPipeline({ db, registry })] : pipelines;
}

async function remove(visit: Visit<Owed>, ports: CleanupPorts): Promise<Outcome<{ removed: string | null }>> {
  const intent = await readIntent(ports.db, visit.input.key);
  if (intent === undefined || intent.over) return done({ removed: null });
  const stage = ports.registry().stageOf(intent.pipeline_id, intent.stage);
  if (stage?.outside === undefined) return wait("code_missing", { again: "1m" });
  const { outside, timeoutMs } = stage;
  const service = serviceOf(outside, intent.service);
  try {
    const { key } = intent;
    const ref =
      intent.ref ?? (await visit.call(service, (client) => outside.adopt({ key, signal: visit.signal }, client)));
    if (ref === null) return await lookAgain(visit, intent.age_ms, timeoutMs + STRAGGLER_MS);
    const told = await visit.call(service, (client) => outside.cancel(ref, client));
    if (told?.type === "not-yet") return wait(told.reason, { again: told.again, note: told.note });
    return done({ removed: ref });
  } catch (error) {
    const fault = toFault(error);
    if (fault.kind !== "permanent") throw fault;
    return wait("cleanup_refused", { again: "1h" });
  }
}

/**
 * Until no start can still be under way. Looks are counted as well: where the database's clock was set back since, an intent
 * would be too young for as long as that was.
 */
async function lookAgain(visit: Visit<Owed>, ageMs: number, limitMs: number): Promise<Outcome<{ removed: null }>> {
  const looks = 1 + (typeof visit.checkpoint.value === "number" ? visit.checkpoint.value : 0);
  if (ageMs > limitMs || looks * LOOK_EVERY_MS > limitMs) return done({ removed: null });
  await visit.checkpoint.save(looks);
  return again(`${LOOK_EVERY_MS}ms`);
}

function serviceOf(work: OutsideWork, name: string): Service {
  if (work.service !== undefined) return work.service;
  invariant(work.family !== undefined, "work outside is done by a service or by one of a family");
  return work.family(name.slice(work.family.family.length + 1));
}

export interface ObligationPorts {
  readonly db: Database;
  readonly registry: Registry;
  readonly random: Random;
}

/** Makes an item of everything owed that has none yet. Answers with how many. */
export async function oweCleanups(ports: ObligationPorts): Promise<number> {
  const { db, registry, random } = ports;
  const [place] = registry.placesOf({ name: CLEANUP, version: 1 }) ?? [];
  if (place === undefined) return 0;
  const lanes = new Map<string, number>();
  // Outside the transaction: a lane that is rolled back would stay known here.
  for (const service of await owedServices(db)) lanes.set(service, (await registry.laneFor(db, place, service)).lane);
  if (lanes.size === 0) return 0;
  return await db.transaction(async (tx) => {
    const owed = (await owedIntents(tx)).filter(({ service }) => lanes.has(service));
    if (owed.length === 0) return 0;
    const items = owed.map(
      ({ key, service }, index): NewItem => ({
        request: index + 1,
        pipeline: place.pipelineId,
        lane: lanes.get(service) as number,
        nonce: String(random.token()),
        priority: CLEANUP_PRIORITY,
        delayMs: 0,
        owner: null,
        fairness: null,
        key: null,
        input: JSON.stringify({ key }),
      }),
    );
    const request = { total: 1, key: null, owner: null, parent: null };
    const rows = await insertRequests(
      tx,
      owed.map(() => request),
      items,
    );
    await assignCleanup(
      tx,
      owed.map(({ key }) => key),
      rows.map((row) => row.id),
    );
    return owed.length;
  });
}
