// The shape an answer must have: a schema of any library that speaks Standard Schema, or a function that throws.

import { transient } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import type { Answer } from "./exchange.ts";

export interface AnswerSchema<T> {
  readonly "~standard": {
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
  };
}

type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

export type Check<T> = AnswerSchema<T> | ((value: unknown) => T);

const SHOWN_ISSUES = 3;

/** What the service sent, checked. Anything else than expected is the service's failure, and may pass. */
export async function readJson<T>(answer: Answer, check: Check<T>, service: string): Promise<T> {
  const bad = (why: string, cause?: unknown) =>
    transient("BAD_ANSWER", `${service} gave an answer that ${why}`, { service, cause });
  let value: unknown;
  try {
    // fatal: bytes that are no UTF-8 would otherwise become question marks and pass.
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.body));
  } catch (error) {
    const type = answer.headers["content-type"] ?? "no type";
    throw bad(`is not JSON (${safeText(type, 100)}, ${answer.body.byteLength} bytes)`, error);
  }
  if (typeof check === "function") {
    try {
      return check(value);
    } catch (error) {
      throw bad(`has the wrong shape: ${safeText(error, 300)}`, error);
    }
  }
  const result = await check["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  const said = result.issues.slice(0, SHOWN_ISSUES).map(({ message }) => message);
  throw bad(`has the wrong shape: ${safeText(said.join("; "), 300)}`);
}
