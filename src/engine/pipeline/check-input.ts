// An input against its pipeline's schema: what is submitted and what is spawned pass the same check.

import { type Clock, checkJson, InputError, SluiceError, safeText } from "../../kit/index.ts";
import type { AnyPipeline, SchemaIssue } from "./pipeline.ts";

export interface InputPlace {
  readonly pipeline: { readonly name: string; readonly input: AnyPipeline["input"] };
  /** How the caller knows it; every path in an error begins with it. Read only where something is wrong. */
  readonly field: string;
  readonly maxBytes: number;
  /** Until when the schema has to have answered; left out where somebody else keeps the time. */
  readonly limit?: { readonly clock: Clock; readonly until: number };
}

const SHOWN_ISSUES = 5;
const ISSUE_BYTES = 500;
const FIELD_BYTES = 200;

/**
 * What the schema made of it, as JSON text; `InputError` names the field that is wrong. At once where the schema answers at once: for
 * thousands of inputs promises cost as much as the check.
 */
export function checkInput(value: unknown, place: InputPlace): string | Promise<string> {
  const result = validate(value, place);
  return result instanceof Promise ? result.then((later) => textOf(later, place)) : textOf(result, place);
}

type Result = Awaited<ReturnType<AnyPipeline["input"]["~standard"]["validate"]>>;

function textOf(result: Result, place: InputPlace): string {
  if (typeof result !== "object" || result === null) {
    throw new InputError(place.field, `the input schema of pipeline "${place.pipeline.name}" answered with no result`);
  }
  if (result.issues !== undefined) {
    const issues = Array.isArray(result.issues) ? (result.issues as SchemaIssue[]) : [];
    throw new InputError(issuePath(place.field, issues[0]), describeIssues(place, issues));
  }
  return checkJson(result.value, place);
}

/** A schema is the author's code: what it throws is told as what it is, with the place. */
function validate(value: unknown, place: InputPlace): Result | Promise<Result> {
  try {
    const answer = place.pipeline.input["~standard"].validate(value);
    // Some libraries answer with a promise of their own making; and some schemas with nothing at all.
    const isLater = typeof answer === "object" && answer !== null && "then" in answer;
    return isLater ? validateLater(Promise.resolve(answer), place) : answer;
  } catch (error) {
    throw thrown(error, place);
  }
}

async function validateLater(answer: Promise<Result>, place: InputPlace): Promise<Result> {
  try {
    return await inTime(answer, place);
  } catch (error) {
    throw error instanceof SchemaTimeout ? error : thrown(error, place);
  }
}

function thrown(error: unknown, { pipeline, field }: InputPlace): InputError {
  const why = safeText(error, ISSUE_BYTES);
  return new InputError(field, `the input schema of pipeline "${pipeline.name}" threw at ${field}: ${why}`, {
    cause: error,
  });
}

class SchemaTimeout extends SluiceError {
  constructor({ pipeline, field }: InputPlace) {
    super("SCHEMA_TIMEOUT", `the input schema of pipeline "${pipeline.name}" did not answer in time at ${field}`, {
      field,
    });
  }
}

/** Only for a schema that answers later: a timer for each of many plain inputs would cost more than the check. */
async function inTime<T>(answer: Promise<T>, place: InputPlace): Promise<T> {
  const { limit } = place;
  if (limit === undefined) return await answer;
  const answered = new AbortController();
  const late = limit.clock.sleep(limit.until - limit.clock.monotonic(), answered.signal).then(() => {
    throw new SchemaTimeout(place);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    // The race has listened to both, so what comes second is no unhandled rejection.
    answered.abort();
  }
}

function describeIssues({ pipeline, field }: InputPlace, issues: readonly SchemaIssue[]): string {
  const shown = issues
    .slice(0, SHOWN_ISSUES)
    .map((issue) => `${issuePath(field, issue)}: ${safeText(issue?.message, ISSUE_BYTES)}`);
  const more = issues.length > shown.length ? ` (and ${issues.length - shown.length} more)` : "";
  return `not an input of pipeline "${pipeline.name}": ${shown.join("; ")}${more}`;
}

function issuePath(field: string, issue: SchemaIssue | undefined): string {
  const steps = (issue?.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const path = steps.reduce<string>(
    (before, step) => (typeof step === "number" ? `${before}[${step}]` : `${before}.${String(step)}`),
    field,
  );
  return safeText(path, FIELD_BYTES);
}
