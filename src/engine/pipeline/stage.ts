// A stage: one step that owns an item from entry to exit. Here is what its author writes, and the checked form of it.

import { BugError, InputError, toMilliseconds } from "../../kit/index.ts";
import { type BackoffRule, backoffRule, DEFAULT_BACKOFF } from "./backoff.ts";
import type { CommonDefinition, Gate, StageWords } from "./common.ts";
import type { Outcome } from "./outcome.ts";
import { checkOutside, type OutsideDefinition, type OutsidePartsDefinition, type OutsideWork } from "./outside.ts";
import { checkParts, type PartElement, type PartsOptions, type PartsOutput, type PartsWork } from "./parts.ts";
import { checkMany, checkThread, type ManyWork, type OneOrMany } from "./run-many.ts";
import type { Service, ServiceFamily } from "./service.ts";
import type { Visit } from "./visit.ts";

export type { Committed, Gate } from "./common.ts";
export type { Because, ChildResult, Visit } from "./visit.ts";

export type StageDefinition<Input, Out, Output> = PlainOptions<Input, Out, Output> &
  OneOrMany<Visit<Input, Out>, Output>;

interface PlainOptions<Input, Out, Output> extends CommonDefinition<Input, Out, Output> {
  /** Whom its visits depend on: they are held back while its breaker is open, and count to its capacity and rate. */
  readonly uses?: Service;
  /** At most this many items in this stage at a time, over all workers. */
  readonly concurrency?: number;
  readonly parts?: undefined;
}

/** A stage that does its work for several, each with its own attempts, checkpoint, lane and breaker. */
export type PartsDefinition<Input, Out, Output, Part extends PartElement, Client> = SplitOptions<
  Input,
  Out,
  Output,
  Part,
  Client
> &
  OneOrMany<Visit<Input, Out, NoInfer<Part>>, Output>;

interface SplitOptions<Input, Out, Output, Part extends PartElement, Client>
  extends CommonDefinition<Input, Out, PartsOutput<Output>>,
    PartsOptions<Input, Out, Output, Part, Client> {
  /** Whom its visits depend on. Of a family, each part has the one of its own name. */
  readonly uses?: Service<Client> | ServiceFamily<Client>;
  /** At most this many parts in this stage at a time, over all workers. */
  readonly concurrency?: number;
}

export type AnyDefinition<Input, Out, Output, Part extends PartElement, Client> =
  | StageDefinition<Input, Out, Output>
  | PartsDefinition<Input, Out, Output, Part, Client>
  | OutsideDefinition<Input, Out, Output, Client>
  | OutsidePartsDefinition<Input, Out, Output, Part, Client>;

/** A stage as the engine uses it: checked, defaults filled in, types forgotten. */
export interface Stage {
  readonly name: string;
  /** What a visit runs. For outside work see `outside`. */
  readonly run: (visit: Visit) => Outcome | Promise<Outcome>;
  /** What is run instead, where it takes many visits at once. */
  readonly many: ManyWork | undefined;
  /** The module that is run in a thread instead. */
  readonly thread: string | undefined;
  readonly outside: OutsideWork | undefined;
  /** How its work is split, where it is: it is the parts that are visited then. */
  readonly parts: PartsWork | undefined;
  /** The service whose lane its work is claimed from, where it is always the same. */
  readonly uses: Service | undefined;
  /** The family of services that its parts use, or that `on` chooses from. */
  readonly family: ServiceFamily | undefined;
  readonly words: StageWords | undefined;
  readonly enter: readonly Gate[];
  readonly leave: readonly Gate[];
  readonly commit: StageDefinition<unknown, unknown, unknown>["commit"];
  readonly concurrency: number | undefined;
  /** How many of one fairness key. */
  readonly perKey: number | undefined;
  readonly timeoutMs: number;
  readonly attemptsMax: number;
  readonly backoff: BackoffRule;
  readonly weight: number;
}

const ATTEMPTS_HIGHEST = 1_000;

export function checkStage<Input, Out, Output, Part extends PartElement, Client>(
  place: string,
  name: string,
  definition: AnyDefinition<Input, Out, Output, Part, Client>,
): Stage {
  const outside = isOutside(definition) ? checkOutside(place, definition) : undefined;
  const inside = isOutside(definition) ? undefined : definition;
  checkRun(place, outside, inside);
  const by = outside === undefined ? inside?.uses : (outside.service ?? outside.family);
  const family = typeof by === "function" ? by : undefined;
  const parts = checkParts(place, definition, { by, chooses: outside?.on !== undefined });
  if (family !== undefined && outside === undefined && parts === undefined)
    throw new InputError(`${place}.uses`, `${place} uses a family of services and needs parts, whose names choose one`);
  const { words, commit, perKey, attempts = 5, weight = 1 } = definition;
  const concurrency = inside?.concurrency;
  if (concurrency !== undefined) checkWhole(concurrency, `${place}.concurrency`, 10_000);
  if (perKey !== undefined) checkWhole(perKey, `${place}.perKey`, 10_000);
  checkWhole(attempts, `${place}.attempts`, ATTEMPTS_HIGHEST);
  if (!(weight > 0 && weight <= 1_000))
    throw new InputError(`${place}.weight`, `${place}.weight must be above 0, at most 1000`);
  const timeoutMs = toMilliseconds(definition.timeout ?? "5m", `${place}.timeout`);
  if (timeoutMs === 0) throw new InputError(`${place}.timeout`, `${place}.timeout must be longer than 0`);
  // The author's types end here: the engine stores and passes plain JSON, and the pipeline's types vouch for its shape.
  const loose = definition as unknown as StageDefinition<unknown, unknown, unknown>;
  return {
    name,
    run: loose.run ?? runsOtherwise,
    many: inside?.runMany === undefined ? undefined : checkMany(place, inside.runMany, timeoutMs),
    thread: inside?.thread === undefined ? undefined : checkThread(place, inside.thread),
    outside,
    parts,
    uses: typeof by === "function" ? undefined : by,
    family,
    words,
    enter: loose.enter ?? [],
    leave: (loose.leave ?? []) as readonly Gate[],
    commit: commit as Stage["commit"],
    concurrency,
    perKey,
    timeoutMs,
    attemptsMax: attempts,
    backoff: backoffRule(definition.backoff ?? DEFAULT_BACKOFF, `${place}.backoff`),
    weight,
  };
}

function checkRun(
  place: string,
  outside: OutsideWork | undefined,
  inside: { readonly run?: unknown; readonly runMany?: unknown; readonly thread?: unknown } | undefined,
): void {
  const { run, runMany, thread } = inside ?? {};
  if ([run, runMany, thread].filter((one) => one !== undefined).length > 1)
    throw new InputError(`${place}.run`, `${place} takes one of run, runMany and thread`);
  if (outside === undefined && runMany === undefined && thread === undefined && typeof run !== "function")
    throw new InputError(`${place}.run`, `${place} needs a run function`);
}

function checkWhole(value: number, field: string, highest: number): void {
  if (!Number.isInteger(value) || value < 1 || value > highest) {
    throw new InputError(field, `${field} must be a whole number from 1 to ${highest}, got ${value}`);
  }
}

function isOutside<Input, Out, Output, Part extends PartElement, Client>(
  definition: AnyDefinition<Input, Out, Output, Part, Client>,
): definition is
  | OutsideDefinition<Input, Out, Output, Client>
  | OutsidePartsDefinition<Input, Out, Output, Part, Client> {
  return typeof definition === "object" && definition !== null && "outside" in definition;
}

/** Never called: such visits go through workers/outside-visit.ts, gathering.ts or threads.ts. */
function runsOtherwise(): never {
  throw new BugError("the work of this stage happens elsewhere, or for many at once");
}
