// A pipeline: the ordered stages an item passes, under a name and a version. Typed from end to end: each stage sees the
// input and the outputs of the stages before it. Values are immutable; `.stage()` answers with a new pipeline.

import { createHash } from "node:crypto";
import { type Duration, InputError, type ItemId, toMilliseconds } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { checkKeep, type Keep, type KeepOptions } from "./keep.ts";
import type { OutsideDefinition, OutsidePartsDefinition } from "./outside.ts";
import type { PartElement, PartsOutput } from "./parts.ts";
import { type AnyDefinition, checkStage, type PartsDefinition, type Stage, type StageDefinition } from "./stage.ts";
import { checkTitle, type TitleOf, type TitleOption } from "./title.ts";

/** Any schema library that speaks the Standard Schema protocol (zod, valibot, arktype, …) checks inputs. */
export interface InputSchema<Asked, Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Input> | Promise<SchemaResult<Input>>;
    readonly types?: { readonly input: Asked; readonly output: Input } | undefined;
  };
}

type SchemaResult<Input> =
  | { readonly value: Input; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export interface PipelineOptions<Asked, Input> {
  /** Raise it when stages are added, removed, renamed or reordered. Items finish on the version they started with. */
  readonly version: number;
  readonly input: InputSchema<Asked, Input>;
  /** Asked before a failed item is retried by hand: undefined lets it, a sentence is the reason why not. */
  readonly retry?: (asked: RetryAsked<Input>) => string | undefined | Promise<string | undefined>;
  /**
   * Asked once more in the transaction in which items that have ended live again, by a retry or a replay in place: which of
   * them may not, and why. What it locks there stays as it saw it until they live.
   */
  readonly reopen?: ReopenCheck;
  /**
   * Only an application that has this very pipeline hands it in, along with what is its own. Whoever names it, over HTTP or on
   * the command line, and whoever wants a copy of an item, is refused with this sentence, which says what to do instead.
   */
  readonly reserved?: string;
  /** How large an item is, in whatever unit: estimates then go by items of about that size. Bytes, pages, minutes of film. */
  readonly size?: (input: Input) => number;
  /** What people call an item, for lists and pages: from its input, or the name of a field of it. Default: none. */
  readonly title?: TitleOption<Input>;
  /** Items that have not ended so long after they were submitted fail with the code DEADLINE. Default: none. */
  readonly deadline?: Duration;
  /**
   * Items take turns by key: `fairness` of their submission, else their owner. However much one key has queued, every other
   * gets as large a part. Default: false, by age.
   */
  readonly fair?: boolean;
  /** How long what has ended is kept: done 90 d, failed 365 d, cancelled 30 d; `false` is for ever. */
  readonly keep?: KeepOptions;
}

export interface RetryAsked<Input> {
  readonly item: ItemId;
  readonly input: Input;
  readonly owner: string | null;
  /** Who wants it. */
  readonly by: string;
}

/** Such a check of a pipeline whose types do not matter here. */
export type RetryCheck = (asked: RetryAsked<never>) => string | undefined | Promise<string | undefined>;

/** Of those it is asked about, the ones that are to stay as they ended. */
export type ReopenCheck = (tx: Queryable, items: readonly ItemId[]) => Promise<ReadonlyMap<ItemId, string>>;

/** What a finished stage adds to what later stages can read. A stage that hands on nothing adds nothing. */
type With<Out, Name extends string, Output> =
  IsNothing<Output> extends true ? Out : Out & { readonly [K in Name]: Output };

/** `unknown extends` keeps out `any` (the result of JSON.parse), which would otherwise count as nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: done() without a value is Done<void>, and that is what is asked here
type IsNothing<Output> = unknown extends Output ? false : [Output] extends [void] ? true : false;

export interface Pipeline<Asked, Input, Out> {
  readonly name: string;
  readonly version: number;
  readonly input: InputSchema<Asked, Input>;
  readonly retry: RetryCheck | undefined;
  readonly reopen?: ReopenCheck | undefined;
  readonly reserved?: string | undefined;
  /** Typed by the options it came from: with its input here, no two pipelines would fit into one list. */
  readonly size?: ((input: never) => number) | undefined;
  readonly title?: TitleOf | undefined;
  readonly stages: readonly Stage[];
  readonly deadlineMs: number | undefined;
  readonly fair: boolean;
  readonly keep: Keep;
  /** Changes exactly when a change needs a new version. */
  readonly shape: string;
  readonly "~types": { readonly asked: Asked; readonly input: Input; readonly out: Out };
  stage<Name extends string, Output = void>(
    name: Name,
    definition: StageDefinition<Input, Out, Output>,
  ): Pipeline<Asked, Input, With<Out, Name, Output>>;
  stage<Name extends string, Part extends PartElement, Output = void, Client = unknown>(
    name: Name,
    definition: PartsDefinition<Input, Out, Output, Part, Client>,
  ): Pipeline<Asked, Input, With<Out, Name, PartsOutput<Output>>>;
  stage<Name extends string, Output = unknown, Client = unknown>(
    name: Name,
    definition: OutsideDefinition<Input, Out, Output, Client>,
  ): Pipeline<Asked, Input, With<Out, Name, Output>>;
  stage<Name extends string, Part extends PartElement, Output = unknown, Client = unknown>(
    name: Name,
    definition: OutsidePartsDefinition<Input, Out, Output, Part, Client>,
  ): Pipeline<Asked, Input, With<Out, Name, PartsOutput<Output>>>;
}

/** A pipeline whose types do not matter here. */
export type AnyPipeline = Pipeline<never, never, unknown> | Pipeline<unknown, unknown, unknown> | LoosePipeline;

interface LoosePipeline {
  readonly name: string;
  readonly version: number;
  readonly input: InputSchema<never, unknown>;
  readonly retry: RetryCheck | undefined;
  readonly reopen?: ReopenCheck | undefined;
  readonly reserved?: string | undefined;
  readonly size?: ((input: never) => number) | undefined;
  readonly title?: TitleOf | undefined;
  readonly stages: readonly Stage[];
  readonly deadlineMs: number | undefined;
  readonly fair: boolean;
  readonly keep: Keep;
  readonly shape: string;
  readonly "~types": { readonly asked: unknown; readonly input: unknown; readonly out: unknown };
}

const NAME = /^[a-z][a-z0-9_-]{0,62}$/;
const STAGES_MAX = 100;

export function definePipeline<Asked, Input>(
  name: string,
  options: PipelineOptions<Asked, Input>,
): Pipeline<Asked, Input, unknown> {
  if (!isName(name)) throw nameError("pipeline", name);
  // Untyped callers forget the options altogether; they get the same sentence as for a forgotten version.
  const { version, input, retry, reopen, reserved, size, title, deadline, fair = false, keep } = options ?? {};
  if (!Number.isInteger(version) || version < 1 || version > 1_000_000) {
    throw new InputError(
      `${name}.version`,
      `pipeline "${name}" needs a version, a whole number from 1, got ${version}`,
    );
  }
  if (typeof input?.["~standard"]?.validate !== "function") {
    throw new InputError(
      `${name}.input`,
      `pipeline "${name}" needs an input schema (zod, valibot or any Standard Schema)`,
    );
  }
  if (retry !== undefined && typeof retry !== "function")
    throw new InputError(`${name}.retry`, `retry of pipeline "${name}" must be a function`);
  if (reopen !== undefined && typeof reopen !== "function")
    throw new InputError(`${name}.reopen`, `reopen of pipeline "${name}" must be a function`);
  if (reserved !== undefined && (typeof reserved !== "string" || reserved.trim() === ""))
    throw new InputError(`${name}.reserved`, `${name}.reserved is a sentence that says what to do instead`);
  if (size !== undefined && typeof size !== "function")
    throw new InputError(`${name}.size`, `the size of pipeline "${name}" is a function of its input, or left out`);
  const deadlineMs = deadline === undefined ? undefined : toMilliseconds(deadline, `${name}.deadline`);
  if (deadlineMs === 0) throw new InputError(`${name}.deadline`, `${name}.deadline must be longer than 0`);
  if (typeof fair !== "boolean") throw new InputError(`${name}.fair`, `${name}.fair is true or false`);
  const head = { name, version, input, retry, reopen, reserved, size, title: checkTitle(name, title) };
  return build({ ...head, deadlineMs, fair, keep: checkKeep(name, keep) }, []);
}

function build<Asked, Input, Out>(
  head: Pick<
    Pipeline<Asked, Input, Out>,
    "name" | "version" | "input" | "retry" | "reopen" | "reserved" | "size" | "title" | "deadlineMs" | "fair" | "keep"
  >,
  stages: readonly Stage[],
): Pipeline<Asked, Input, Out> {
  return Object.freeze({
    ...head,
    stages,
    shape: shapeOf(stages, head.fair),
    // Only the type checker looks at it.
    "~types": undefined as never,
    stage<Name extends string, Part extends PartElement, Output, Client>(
      name: Name,
      definition: AnyDefinition<Input, Out, Output, Part, Client>,
    ) {
      if (!isName(name)) throw nameError(`stage of pipeline "${head.name}"`, name);
      if (stages.some((stage) => stage.name === name)) {
        throw new InputError(`${head.name}.${name}`, `pipeline "${head.name}" has two stages named "${name}"`);
      }
      if (stages.length === STAGES_MAX) {
        throw new InputError(head.name, `pipeline "${head.name}" has more than ${STAGES_MAX} stages`);
      }
      const stage = checkStage(`${head.name}.${name}`, name, definition);
      if (stage.perKey !== undefined && !head.fair)
        throw new InputError(
          `${head.name}.${name}.perKey`,
          `a limit per key needs fair: true of pipeline "${head.name}"`,
        );
      // What it hands on is said by the overload that was called; a value has no way to.
      return build<Asked, Input, never>(head, [...stages, stage]);
    },
  });
}

/**
 * Names and order of the stages, and whether they take turns: what an item in flight depends on. (It has its key from when it
 * was submitted; where keys are limited, one without would never be entered.) Limits and code may change within a version.
 */
function shapeOf(stages: readonly Stage[], fair: boolean): string {
  const names = stages.map((stage) => stage.name);
  return createHash("sha256")
    .update(JSON.stringify(fair ? { names, fair } : names))
    .digest("hex")
    .slice(0, 16);
}

/** What is told to whoever hands in or copies what is reserved. */
export function reservedText(name: string, reserved: string): string {
  return `${name} takes nothing by its name: ${reserved}`;
}

/** With its type, because a pattern reads `undefined` as the word "undefined". */
export function isName(name: unknown): boolean {
  return typeof name === "string" && NAME.test(name);
}

export function nameError(what: string, name: string): InputError {
  const got = JSON.stringify(String(name).slice(0, 80));
  return new InputError(
    "name",
    `the name of a ${what} is a lower-case letter, then letters, digits, - or _, got ${got}`,
  );
}
