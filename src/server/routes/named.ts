// Things that are found by their names, and what is refused.

import { type ActionResult, Fault, SluiceError } from "../../engine/index.ts";
import { orElse } from "../../kit/index.ts";

export function named<One extends { readonly name: string }>(kind: string, name: string, all: readonly One[]): One {
  const found = all.find((one) => one.name === name);
  const known = all.map((one) => one.name);
  if (found === undefined)
    throw new SluiceError("NOT_FOUND", `there is no ${kind} ${name}; ${orElse(name, known)}`, { field: kind });
  return found;
}

export function orRefuse(result: ActionResult): void {
  if (!result.ok) throw new SluiceError("REFUSED", result.reason);
}

/** A pipeline author's code that fails is not the request's fault, and its words are for whoever had it run. */
export async function orTold<Result>(who: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new SluiceError("REFUSED", `${who} failed: ${error.message}`, { cause: error });
  }
}
