// What becomes of a single item that could not be written as it was decided.

import { safeText } from "../../kit/index.ts";
import { sqlState } from "../db/errors.ts";
import { Fault, toFault } from "../pipeline/fault.ts";
import { CommitError } from "./commit-error.ts";

export const UNSTORABLE = "UNSTORABLE";
const MESSAGE_BYTES = 500;

/** What the stage's own `commit` throws is judged like anything else it throws; what the database refuses stays refused. */
export function unstorable(error: unknown): Fault {
  const thrown = error instanceof CommitError ? error.cause : error;
  if (error instanceof CommitError && sqlState(thrown) === undefined) return toFault(thrown);
  return new Fault("permanent", UNSTORABLE, safeText(thrown, MESSAGE_BYTES), { cause: error });
}
