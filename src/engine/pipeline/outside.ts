// A supervised stage: work that somebody else does. It is started, watched and ended; no code waits for it in a loop.

import { type Duration, InputError, toMilliseconds } from "../../kit/index.ts";
import type { Fault } from "./fault.ts";
import type { Outcome } from "./outcome.ts";
import type { PartElement, PartsOptions, PartsOutput } from "./parts.ts";
import type { Service, ServiceFamily } from "./service.ts";
import type { Visit } from "./visit.ts";

export type { Ended, Ending } from "./visit.ts";

import type { CommonDefinition } from "./common.ts";

/** How the other side says a job stands. `queued` and `paused` are its owner's doing: no clock of ours runs then. */
export type SeenState = "queued" | "running" | "paused" | "done" | "failed" | "missing";

/** What a look saw of one job. */
export interface Seen {
  readonly ref: string;
  readonly state: SeenState;
  /** In percent. Nonsense (NaN, negative, above 100, backwards) is tolerated and recorded. */
  readonly progress?: number;
  /** What moves while it is alive: bytes, frames, seconds of film. Any one reaching a new height is activity. */
  readonly marks?: Readonly<Record<string, number>>;
  /** What a finished job came to, as JSON. */
  readonly output?: unknown;
  /** Why a failed one failed. Without it: transient. */
  readonly fault?: Fault;
}

/**
 * The highest each mark of a job has been, by its ref: told to a look, which may have been begun by another process than the last.
 * Of one that moved without a stop while others looked, it is how high it was before.
 */
export type KnownMarks = (ref: string) => Readonly<Record<string, number>>;

/** What happens after a stall: each counts one attempt. `elsewhere` needs a family of services. */
export type StallReaction<Input, Out, Part = undefined> =
  | "restart"
  | "elsewhere"
  | "fail"
  | ((visit: Visit<Input, Out, Part>) => Outcome<never> | Promise<Outcome<never>>);

export interface StallDefinition<Input, Out, Client, Part = undefined> {
  /** Started, and nothing ever moved. Default 10 min. */
  readonly never?: Duration;
  /** It moved once, and no longer does. Default 30 min. */
  readonly stopped?: Duration;
  /** A second opinion before anything is done: true when the service agrees that it is stalled. */
  readonly confirm?: (ref: string, client: Client) => Promise<boolean>;
  /** Default: restart. */
  readonly react?: StallReaction<Input, Out, Part>;
}

export interface OutsideDefinition<Input, Out, Output, Client>
  extends CommonDefinition<Input, Out, Output>,
    OutsideFunctions<Input, Out, Output, Client, undefined> {
  readonly parts?: undefined;
}

/** Work that several do, or one for several: a job for each part. */
export interface OutsidePartsDefinition<Input, Out, Output, Part extends PartElement, Client>
  extends CommonDefinition<Input, Out, PartsOutput<Output>>,
    PartsOptions<Input, Out, Output, Part, Client>,
    OutsideFunctions<Input, Out, Output, Client, NoInfer<Part>> {}

interface OutsideFunctions<Input, Out, Output, Client, Part> {
  /** Whom it is done by. A family needs `on`, which chooses, or parts, whose names do. */
  readonly outside: Service<Client> | ServiceFamily<Client>;
  /** Which of the family, given those that were excluded for this item after a stall. */
  readonly on?: (visit: Visit<Input, Out, Part>, excluded: readonly string[]) => string | Promise<string>;
  /** Begins the work and answers with the name the service has for it. `visit.key` goes along, so that it is found again. */
  readonly start: (visit: Visit<Input, Out, Part>, client: Client) => Promise<string>;
  /** Finds what may have been started under `visit.key` before a crash; null when there is nothing. */
  readonly adopt: (visit: Pick<Visit<Input, Out, Part>, "key" | "signal">, client: Client) => Promise<string | null>;
  /** How all of them stand, in one call. Has to answer for every one it was given. `known` is for a service that loses count. */
  readonly look: (refs: readonly string[], client: Client, known: KnownMarks) => Promise<readonly Seen[]>;
  /** Ends and removes it. What is gone already is a success. Called until it succeeds; `notYet()` where it has to stay for a while. */
  readonly cancel: (ref: string, client: Client) => Promise<void> | Promise<NotYet | undefined>;
  /** What the service has under keys that begin like this, for reconciliation. Without it, nothing is reconciled. */
  readonly list?: (client: Client, prefix: string) => Promise<readonly Listed[]>;
  /**
   * What it made stays when the stage is done, and is removed with its item: when that is cancelled, done again from here, or
   * removed. Without it, what a finished stage made is nobody's to remove.
   */
  readonly stays?: boolean;
  /** What a finished job means for the item. Default: done with what was seen. */
  readonly finish?: (
    visit: Visit<Input, Out, Part>,
    seen: { readonly output: unknown },
  ) => Outcome<Output> | Promise<Outcome<Output>>;
  /** How often to look. Default 5 s. */
  readonly every?: Duration;
  /** How many one look may ask about. Default 100. */
  readonly batch?: number;
  readonly stall?: StallDefinition<Input, Out, Client, Part>;
  /** Where what is started stands in line first: what people are told until it is seen to run. "It waits for a free encoder." */
  readonly inLine?: string;
}

/** It is owed, and its time has not come: asked again after a while, without an attempt. */
export interface NotYet {
  readonly type: "not-yet";
  /** Lower-case words with _, as for `wait()`. */
  readonly reason: string;
  /** What people are told of it. */
  readonly note: string;
  readonly again: Duration;
}

export const notYet = (reason: string, note: string, again: Duration): NotYet => ({
  ...{ type: "not-yet", reason, note, again },
});

export interface Listed {
  readonly ref: string;
  readonly key: string;
  /** Only what still goes on is an orphan; what has ended may stay where it is. */
  readonly state: SeenState;
}

/** As the engine uses it. */
export interface OutsideWork {
  /** The one service, or undefined where `on` chooses among a family. */
  readonly service: Service | undefined;
  readonly family: ServiceFamily | undefined;
  readonly on: OutsideDefinition<unknown, unknown, unknown, unknown>["on"];
  readonly start: (visit: Visit, client: unknown) => Promise<string>;
  readonly adopt: (visit: Pick<Visit, "key" | "signal">, client: unknown) => Promise<string | null>;
  readonly look: (refs: readonly string[], client: unknown, known: KnownMarks) => Promise<readonly Seen[]>;
  readonly cancel: (ref: string, client: unknown) => Promise<NotYet | undefined>;
  readonly stays: boolean;
  readonly list: ((client: unknown, prefix: string) => Promise<readonly Listed[]>) | undefined;
  readonly finish: OutsideDefinition<unknown, unknown, unknown, unknown>["finish"];
  readonly everyMs: number;
  readonly batch: number;
  readonly stall: StallRules;
  readonly inLine: string | undefined;
}

export interface StallRules {
  readonly neverMs: number;
  readonly stoppedMs: number;
  readonly confirm: ((ref: string, client: unknown) => Promise<boolean>) | undefined;
  readonly reaction: StallReaction<unknown, unknown>;
}

const FUNCTIONS = ["start", "adopt", "look", "cancel"] as const;

export function checkOutside<Input, Out, Output, Part extends PartElement, Client>(
  place: string,
  definition: OutsideDefinition<Input, Out, Output, Client> | OutsidePartsDefinition<Input, Out, Output, Part, Client>,
): OutsideWork {
  for (const name of FUNCTIONS) {
    if (typeof definition[name] !== "function")
      throw new InputError(`${place}.${name}`, `${place} does work outside and needs the function ${name}`);
  }
  // The author's types end here, as in checkStage.
  const loose = definition as unknown as OutsideDefinition<unknown, unknown, unknown, unknown>;
  const { outside, batch = 100, stall = {} } = loose;
  const family = typeof outside === "function" ? outside : undefined;
  if (family !== undefined && typeof loose.on !== "function" && definition.parts === undefined)
    throw new InputError(`${place}.on`, `${place} names a family of services and needs on(), which chooses one`);
  if (stall.react === "elsewhere" && (family === undefined || loose.on === undefined))
    throw new InputError(`${place}.stall.react`, `${place} can go elsewhere only with a family of services and on()`);
  if (!Number.isInteger(batch) || batch < 1 || batch > 10_000)
    throw new InputError(`${place}.batch`, `${place}.batch must be a whole number from 1 to 10000, got ${batch}`);
  return {
    service: typeof outside === "function" ? undefined : outside,
    family,
    on: loose.on,
    start: loose.start,
    adopt: loose.adopt as OutsideWork["adopt"],
    look: loose.look,
    cancel: loose.cancel as OutsideWork["cancel"],
    stays: loose.stays === true,
    list: loose.list,
    finish: loose.finish,
    everyMs: Math.max(50, toMilliseconds(loose.every ?? "5s", `${place}.every`)),
    batch,
    stall: {
      neverMs: toMilliseconds(stall.never ?? "10m", `${place}.stall.never`),
      stoppedMs: toMilliseconds(stall.stopped ?? "30m", `${place}.stall.stopped`),
      confirm: stall.confirm,
      reaction: stall.react ?? "restart",
    },
    inLine: loose.inLine,
  };
}
