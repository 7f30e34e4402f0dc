// Runs a visit inside the functions that were given to wrap around it. The first of the list is the outermost.

import { BugError, invariant } from "../../kit/index.ts";
import type { VisitResult } from "../items/standing.ts";
import type { Around, Came } from "../pipeline/around.ts";
import { toFault } from "../pipeline/fault.ts";
import type { Visit } from "../pipeline/visit.ts";

/** `run` never rejects. What it came to stands, unless one of the functions throws something of its own. */
export async function visitInside(
  around: readonly Around[],
  visit: Visit,
  run: () => Promise<VisitResult>,
): Promise<VisitResult> {
  let result: VisitResult | undefined;
  const innermost = async (): Promise<Came> => {
    result = await run();
    if ("fault" in result) throw result.fault;
    return cameOf(result);
  };
  const outermost = around.reduceRight<() => Promise<Came>>((next, one) => () => inside(one, visit, next), innermost);
  try {
    await outermost();
  } catch (error) {
    if (result !== undefined && "fault" in result && result.fault === error) return result;
    // Outside work that was given up stays given up, whatever is said about it.
    const gaveUp = result?.gaveUp === undefined ? {} : { gaveUp: result.gaveUp };
    return { fault: toFault(error), ...gaveUp };
  }
  invariant(result !== undefined, "nobody gets past the innermost without a result");
  return result;
}

async function inside(around: Around, visit: Visit, next: () => Promise<Came>): Promise<Came> {
  let running: Promise<Came> | undefined;
  await around(visit as Visit<unknown, unknown, unknown>, () => {
    if (running !== undefined) throw new BugError(`${nameOf(around)} called next() twice`);
    running = next();
    // One that throws before it waits has said all there is to say; what it left running is nobody's news.
    running.catch(() => undefined);
    return running;
  });
  if (running === undefined) throw new BugError(`${nameOf(around)} did not call next()`);
  // Also where it did not wait, or kept an error to itself: what came of the visit is not its to decide.
  return await running;
}

function nameOf(around: Around): string {
  return around.name === "" ? "a function of around" : `around ${around.name}`;
}

function cameOf(result: VisitResult): Came {
  if ("outcome" in result) return result.outcome?.type;
  if ("started" in result) return "started";
  return "chosen" in result ? "chosen" : "parts";
}
