// A stage: one step that owns an item from entry to exit. Here is what its author writes, and the checked form of it.

import { BugError, type Duration, InputError, type ItemId, type RequestId, toMilliseconds } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type Backoff, type BackoffRule, backoffRule, DEFAULT_BACKOFF } from "./backoff.ts";
import type { Back, Outcome } from "./outcome.ts";
import {
  checkOutside,
  type Ended,
  type OutsideDefinition,
  type OutsidePartsDefinition,
  type OutsideWork,
} from "./outside.ts";
import { checkParts, type PartElement, type PartsOptions, type PartsOutput, type PartsWork } from "./parts.ts";
import type { Service, ServiceFamily } from "./service.ts";

/** What a visit is given. Everything durable goes through it; nothing else an author keeps survives a crash. */
export interface Visit<Input = unknown, Out = unknown, Part = undefined> {
  readonly input: Input;
  /** Which of the stage's parts it is about; undefined in a stage without any. */
  readonly part: Part;
  /** The outputs of the stages before this one, by name. */
  readonly out: Out;
  readonly item: { readonly id: ItemId; readonly request: RequestId; readonly owner: string | null };
  /** The same for every try of this stage in this series, and for nothing else: pass it to whatever is asked to act. */
  readonly key: string;
  /** Which try this is, from 1. */
  readonly attempt: number;
  /** Aborted when the visit may no longer act: time is up, the worker stops, or the item was taken away. */
  readonly signal: AbortSignal;
  /** Partial work of this stage. What was saved is there again in the next visit, also after a crash. */
  readonly checkpoint: { readonly value: unknown; save(value: unknown): Promise<void> };
  /** In percent of this stage. Written now and then, so call it as often as you like. */
  progress(percent: number): void;
  /** Why this visit happens, where something ended a wait or a later stage came back. */
  readonly because: Because;
  /**
   * Calls a service behind its breaker, its rate and its report. Refused at once while the breaker is open: the item then
   * waits, without a spent attempt, until the service is well again.
   */
  call<Client, Result>(service: Service<Client>, work: (client: Client) => Promise<Result>): Promise<Result>;
}

/** What this stage was told since it was entered; absent where nothing was. */
export interface Because {
  readonly answer?: unknown;
  readonly signal?: unknown;
  readonly children?: readonly ChildResult[];
  /** From a later stage that returned the item with `back()`. */
  readonly note?: unknown;
  /** What came of the outside work. */
  readonly ended?: Ended;
  /** Services that this item stalled at since it entered the stage. */
  readonly stalledAt?: readonly string[];
}

export interface ChildResult {
  readonly id: ItemId;
  readonly state: "done" | "failed" | "cancelled";
  /** What its last stage handed on. */
  readonly output: unknown;
}

/** A check on entering or leaving a stage. It throws a fault, or sends the item back, or lets it pass by saying nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: so that a gate may end without a return
export type Gate<Input = unknown, Out = unknown> = (visit: Visit<Input, Out>) => void | Back | Promise<void | Back>;

/** What one settled item was about, for a stage's `commit`. */
export interface Committed<Input, Output> {
  readonly item: ItemId;
  readonly input: Input;
  readonly output: Output;
}

/** What every stage may say about itself, whoever does its work. */
export interface CommonDefinition<Input, Out, Output> {
  /** The public word before this stage's work begins, and from then on. */
  readonly words?: readonly [before: string, during: string];
  /** Checked before `run` or `start`. */
  readonly enter?: readonly Gate<Input, Out>[];
  /** Checked when the work is done; they see its output under this stage's name. */
  readonly leave?: readonly Gate<Input, NoInfer<Out> & Record<string, unknown>>[];
  /** Writes of yours that happen in the same transaction as "done". Called for a batch; called again if it is tried again. */
  readonly commit?: (tx: Queryable, items: readonly Committed<Input, Output>[]) => Promise<void>;
  /** How long one visit may take. */
  readonly timeout?: Duration;
  /** How many counted faults end it, the last one included. */
  readonly attempts?: number;
  readonly backoff?: Backoff;
  /** This stage's share of the item's progress, compared with its sister stages. */
  readonly weight?: number;
}

export interface StageDefinition<Input, Out, Output> extends CommonDefinition<Input, Out, Output> {
  /** One visit: do the work, or a step of it, and say how it stands. */
  readonly run: (visit: Visit<Input, Out>) => Outcome<Output> | Promise<Outcome<Output>>;
  /** Whom its visits depend on: they are held back while its breaker is open, and count to its capacity and rate. */
  readonly uses?: Service;
  /** At most this many items in this stage at a time, over all workers. */
  readonly concurrency?: number;
  readonly parts?: undefined;
}

/** A stage that does its work for several, each with its own attempts, checkpoint, lane and breaker. */
export interface PartsDefinition<Input, Out, Output, Part extends PartElement, Client>
  extends CommonDefinition<Input, Out, PartsOutput<Output>>,
    PartsOptions<Input, Out, Output, Part, Client> {
  /** One visit of one part. */
  readonly run: (visit: Visit<Input, Out, NoInfer<Part>>) => Outcome<Output> | Promise<Outcome<Output>>;
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
  readonly outside: OutsideWork | undefined;
  /** How its work is split, where it is: it is the parts that are visited then. */
  readonly parts: PartsWork | undefined;
  /** The service whose lane its work is claimed from, where it is always the same. */
  readonly uses: Service | undefined;
  /** The family of services that its parts use, or that `on` chooses from. */
  readonly family: ServiceFamily | undefined;
  readonly words: readonly [string, string] | undefined;
  readonly enter: readonly Gate[];
  readonly leave: readonly Gate[];
  readonly commit: StageDefinition<unknown, unknown, unknown>["commit"];
  readonly concurrency: number | undefined;
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
  if (outside === undefined && typeof inside?.run !== "function")
    throw new InputError(`${place}.run`, `${place} needs a run function`);
  const by = outside === undefined ? inside?.uses : (outside.service ?? outside.family);
  const family = typeof by === "function" ? by : undefined;
  const parts = checkParts(place, definition, { by, chooses: outside?.on !== undefined });
  if (family !== undefined && outside === undefined && parts === undefined)
    throw new InputError(`${place}.uses`, `${place} uses a family of services and needs parts, whose names choose one`);
  const { words, commit, attempts = 5, weight = 1 } = definition;
  const concurrency = inside?.concurrency;
  if (concurrency !== undefined) checkWhole(concurrency, `${place}.concurrency`, 10_000);
  checkWhole(attempts, `${place}.attempts`, ATTEMPTS_HIGHEST);
  if (!(weight > 0 && weight <= 1_000))
    throw new InputError(`${place}.weight`, `${place}.weight must be above 0, at most 1000`);
  const timeoutMs = toMilliseconds(definition.timeout ?? "5m", `${place}.timeout`);
  if (timeoutMs === 0) throw new InputError(`${place}.timeout`, `${place}.timeout must be longer than 0`);
  // The author's types end here: the engine stores and passes plain JSON, and the pipeline's types vouch for its shape.
  const loose = definition as unknown as StageDefinition<unknown, unknown, unknown>;
  return {
    name,
    run: outside === undefined ? loose.run : runsOutside,
    outside,
    parts,
    uses: typeof by === "function" ? undefined : by,
    family,
    words,
    enter: loose.enter ?? [],
    leave: (loose.leave ?? []) as readonly Gate[],
    commit: commit as Stage["commit"],
    concurrency,
    timeoutMs,
    attemptsMax: attempts,
    backoff: backoffRule(definition.backoff ?? DEFAULT_BACKOFF, `${place}.backoff`),
    weight,
  };
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

/** Never called: visits of outside work go through workers/outside-visit.ts. */
function runsOutside(): never {
  throw new BugError("the work of this stage happens elsewhere");
}
