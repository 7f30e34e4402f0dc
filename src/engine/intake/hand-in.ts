// From what a caller names to a stored request: the pipeline version is found or chosen, the inputs are checked against it.

import { type Clock, InputError, orElse, type Random, SluiceError, safeText } from "../../kit/index.ts";
import { type CallerTransaction, joinTransaction } from "../db/caller-transaction.ts";
import type { Database, Queryable } from "../db/database.ts";
import { persistently } from "../db/persistently.ts";
import { type Pipeline, reservedText } from "../pipeline/pipeline.ts";
import { CLEANUP, type Place, type Registry } from "../workers/registry.ts";
import type { Entrance } from "./entrance.ts";
import { type Chosen, choose, RolloutMoved } from "./rollout.ts";
import { placeOf } from "./shares.ts";
import { checkSubmission, type SubmitOptions, type Submitted } from "./submission.ts";
import { type Alongside, submit, wouldJoin } from "./submit.ts";

/** A pipeline; or only its name, and the rollout decides the version. */
export type SubmitTarget<Asked> =
  | Pipeline<Asked, never, never>
  | Pipeline<Asked, unknown, unknown>
  | { readonly name: string; readonly version: number; readonly "~types": { readonly asked: Asked } }
  | { readonly name: string; readonly version?: undefined; readonly "~types"?: { readonly asked: Asked } };

export interface HandInPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly registry: Registry;
  readonly entrance: Entrance;
  /** Something may be ready that was not before. */
  moved(): void;
}

/** Where it is written. */
export interface SubmitWhere {
  /** A `pg` client or Kysely transaction of the caller's: submitted if and when it commits. */
  readonly tx?: CallerTransaction;
  /** Written in the same transaction, after the submission: both are stored or neither. Called again where that is begun again. */
  readonly alongside?: Alongside | undefined;
}

type Options = SubmitOptions & SubmitWhere;

export async function handIn(
  ports: HandInPorts,
  target: { readonly name: string; readonly version?: number | undefined },
  inputs: readonly unknown[],
  options: Options,
): Promise<Submitted> {
  const { registry } = ports;
  const name = typeof target?.name === "string" ? target.name : undefined;
  const version = target?.version;
  const newest = name === undefined ? undefined : registry.newestOf(name);
  if (name === undefined || newest === undefined) throw notGiven(target, registry);
  if (version !== undefined) {
    const first = registry.placesOf({ name, version })?.[0];
    if (first === undefined) throw notGiven(target, registry);
    refuseReserved(first, target);
    return await store(ports, first, inputs, options);
  }
  refuseReserved(registry.placesOf({ name, version: newest })?.[0], target);
  const place = lineUp(name, options, ports.random);
  const tx = options?.tx === undefined ? ports.db : joinTransaction(options.tx);
  const attempt = async () => await storeChosen(ports, name, inputs, options, await choose(tx, name, place, newest));
  return await persistently(attempt, (error) => error instanceof RolloutMoved);
}

export interface WouldSubmit {
  readonly version: number;
  readonly items: number;
  /** The same is there already, and it would join that. */
  readonly joined: boolean;
}

/** What would be handed in now; throws what `handIn` would throw. Where a rollout decides, another time may choose another version. */
export async function checkHandIn(
  ports: HandInPorts,
  target: { readonly name: string; readonly version?: number | undefined },
  inputs: readonly unknown[],
  options: SubmitOptions,
): Promise<WouldSubmit> {
  const newest = ports.registry.newestOf(target.name);
  if (newest === undefined) throw notGiven(target, ports.registry);
  const place = lineUp(target.name, options, ports.random);
  const version = target.version ?? (await choose(ports.db, target.name, place, newest)).version;
  const first = ports.registry.placesOf({ name: target.name, version })?.[0];
  if (first === undefined)
    throw target.version === undefined ? notHere(target.name, version) : notGiven(target, ports.registry);
  refuseReserved(first, target);
  const checked = await checkSubmission(first, inputs, options, ports.clock);
  return { version, items: checked.inputs.length, joined: await wouldJoin(ports.db, checked) };
}

/**
 * A version whose code is not here is refused: nobody could check the inputs, and its stages are promised checked ones. To
 * store it under another version would be a rollout that nobody set.
 */
async function storeChosen(
  ports: HandInPorts,
  name: string,
  inputs: readonly unknown[],
  options: Options,
  chosen: Chosen,
): Promise<Submitted> {
  const { version } = chosen;
  const first = ports.registry.placesOf({ name, version })?.[0];
  if (first === undefined) throw notHere(name, version);
  return await store(ports, first, inputs, options, chosen);
}

function notHere(name: string, version: number): SluiceError {
  return new SluiceError(
    "VERSION_NOT_HERE",
    `the rollout gives this request to ${name} version ${version}, which this process was not opened with; ` +
      "open it with that version as well, or take the version out of the rollout",
    { field: "pipeline" },
  );
}

async function store(
  { db, clock, random, entrance, moved }: HandInPorts,
  first: Place,
  inputs: readonly unknown[],
  options: Options,
  rollout?: Chosen,
): Promise<Submitted> {
  const checked = await checkSubmission(first, inputs, options, clock);
  const tx: Queryable | undefined = options.tx === undefined ? undefined : joinTransaction(options.tx);
  const submission = rollout === undefined ? checked : { ...checked, rollout };
  const { alongside } = options;
  const needsMore = checked.key !== null || checked.into !== null || rollout !== undefined;
  const isPlain = tx === undefined && !needsMore && alongside === undefined;
  if (isPlain) return await entrance.store(checked);
  const stored = await submit(db, submission, random, tx, alongside);
  moved();
  return stored;
}

/** Who has the pipeline itself is its application. By its name anybody could ask for it, without what belongs to it. */
function refuseReserved(first: Place | undefined, target: unknown): void {
  const pipeline = first?.pipeline;
  if (pipeline?.reserved !== undefined && target !== pipeline)
    throw new SluiceError("REFUSED", reservedText(pipeline.name, pipeline.reserved), { field: "pipeline" });
}

/** The same key, or the same owner where there is no key, always stands in the same place. */
function lineUp(pipeline: string, options: Options, random: Random): number {
  const text = options?.key ?? options?.owner;
  return typeof text === "string" ? placeOf(pipeline, text) : random.fraction() * 100;
}

function notGiven(
  target: { readonly name: string; readonly version?: number | undefined } | undefined,
  registry: Registry,
): InputError {
  const known = registry
    .pipelineIds()
    .flatMap((id) => registry.pipelineOf(id) ?? [])
    .filter(({ name }) => name !== CLEANUP)
    .map(({ name, version }) => (target?.version === undefined ? name : `${name}@${version}`));
  const version = target?.version === undefined ? "" : `@${target.version}`;
  const named = safeText(`${target?.name}${version}`, 100);
  return new InputError(
    "pipeline",
    `pipeline ${named} is not known to this process, which knows those it was started with ` +
      `(sluice up <module>, or openSluice({ pipelines })); ${orElse(named, [...new Set(known)])}`,
  );
}
