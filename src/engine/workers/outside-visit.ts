// A visit of a stage whose work happens elsewhere. Which of three it is, the row says: to choose who does it, to start it,
// or to finish what was seen to have ended.
//
//   in the plain lane, nothing started    choose    on() names one of the family, and the item goes to its lane
//   in a service's lane                   start     adopt what an earlier try may have started, else start it
//   a ref is known                        finish    done: gates and finish(); failed, missing, stalled: the reaction
//
// The intent was written before this is called, by the process that claimed the item.

import { BugError, safeText } from "../../kit/index.ts";
import type { VisitResult } from "../items/standing.ts";
import { type Fault, permanent, toFault, transient } from "../pipeline/fault.ts";
import { type Done, done, type Outcome } from "../pipeline/outcome.ts";
import type { Ended, OutsideWork } from "../pipeline/outside.ts";
import type { Visit } from "../pipeline/stage.ts";
import type { Held } from "./held.ts";

export const REF_BYTES = 1_000;

export interface OutsidePorts {
  call<Result>(service: string, work: (client: unknown) => Promise<Result>): Promise<Result>;
  /** Answers with an outcome when a gate sends the item elsewhere. */
  enter(): Promise<Outcome | undefined>;
  leave(outcome: Done<unknown>): Promise<Outcome>;
}

export async function visitOutside(held: Held, visit: Visit, ports: OutsidePorts): Promise<VisitResult> {
  const work = held.place.stage.outside;
  if (work === undefined) throw new BugError("the work of this stage does not happen elsewhere");
  if (held.row.ref !== null) return await finish(held, work, visit, ports);
  if (held.place.service === "") return await choose(held, work, visit);
  return await start(held, work, visit, ports);
}

async function choose(held: Held, work: OutsideWork, visit: Visit): Promise<VisitResult> {
  if (work.family === undefined || work.on === undefined)
    throw new BugError("nothing was started, and nobody to choose");
  const prefix = `${work.family.family}:`;
  const excluded = (held.because.stalledAt ?? []).map((name) => name.slice(prefix.length));
  const chosen = work.family(await work.on(visit, excluded));
  return { chosen: chosen.name };
}

async function start(held: Held, work: OutsideWork, visit: Visit, ports: OutsidePorts): Promise<VisitResult> {
  const turnedAway = await ports.enter();
  if (turnedAway !== undefined) return { outcome: turnedAway };
  const { service } = held.place;
  const { key } = visit;
  // Somebody was here before and may have got as far as starting it, whatever came of it then.
  const adopted = held.mayHaveStarted ? await ports.call(service, (client) => work.adopt(visit, client)) : null;
  const ref = adopted ?? (await ports.call(service, (client) => work.start(visit, client)));
  return { started: { ref: checkRef(ref, held.place.stage.name), key } };
}

async function finish(held: Held, work: OutsideWork, visit: Visit, ports: OutsidePorts): Promise<VisitResult> {
  const { ended } = held.because;
  if (ended === undefined) throw new BugError("nothing was seen of the outside work, and there is nothing to finish");
  switch (ended.ending) {
    case "done":
      return await finishDone(work, visit, ended, ports);
    case "failed":
      return { fault: failureOf(ended), gaveUp: { leave: "owed", atOnce: false } };
    case "missing": {
      const fault = transient("VANISHED", `${ended.service} no longer knows ${ended.ref}`, { service: ended.service });
      return { fault, gaveUp: { leave: "over", atOnce: false } };
    }
    case "stalled":
      return { ...(await reactToStall(work, visit, ended)), gaveUp: { leave: "owed", atOnce: true } };
  }
}

/** Faults are caught here, so that they are known as those of finishing: what was done outside is not done again. */
async function finishDone(work: OutsideWork, visit: Visit, ended: Ended, ports: OutsidePorts): Promise<VisitResult> {
  try {
    const { output } = ended;
    const outcome = work.finish === undefined ? done(output) : await work.finish(visit, { output });
    return { outcome: outcome?.type === "done" ? await ports.leave(outcome) : outcome };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

async function reactToStall(work: OutsideWork, visit: Visit, ended: Ended): Promise<VisitResult> {
  const { reaction } = work.stall;
  const message = ended.message ?? `${ended.service} stopped moving`;
  if (reaction === "fail") return { fault: permanent("STALLED", message, { service: ended.service }) };
  if (typeof reaction === "string") return { fault: transient("STALLED", message, { service: ended.service }) };
  try {
    return { outcome: await reaction(visit) };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

/** As the look classified it. Down now, the service would not have told: a failed job is the job's affair, and counts. */
function failureOf(ended: Ended): Fault {
  const { kind = "transient", code = "FAILED", message = "it failed there", service } = ended;
  const make = kind === "permanent" ? permanent : transient;
  return make(code, message, { service });
}

function checkRef(ref: unknown, stage: string): string {
  if (typeof ref === "string" && ref !== "" && Buffer.byteLength(ref) <= REF_BYTES && !ref.includes("\0")) return ref;
  throw new BugError(`start of ${stage} has to answer with the name of what it started, got ${safeText(ref, 80)}`);
}
