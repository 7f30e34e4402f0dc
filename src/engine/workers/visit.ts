// One visit: gates, the stage's own code, gates again, under a time limit. Whatever it does, a result comes back: an
// outcome, or a fault. Nothing in here writes, but for the checkpoint the stage asks for.

import type { VisitResult } from "../items/decide.ts";
import { toFault, transient } from "../pipeline/fault.ts";
import type { Outcome } from "../pipeline/outcome.ts";
import type { Gate, Visit } from "../pipeline/stage.ts";
import { withCheckedChildren } from "./checked-children.ts";
import type { Held } from "./held.ts";
import { Interrupt } from "./interrupt.ts";
import { StageVisit, type VisitPorts } from "./stage-visit.ts";

export type { VisitPorts };

export async function visitStage(held: Held, ports: VisitPorts): Promise<VisitResult> {
  const { stage } = held.place;
  const interrupt = new Interrupt();
  held.abort.next = interrupt;
  if (held.abort.aborted) interrupt.abort(held.abort.reason);
  try {
    return await new Promise<VisitResult>((resolve) => {
      const inTime = ports.deadlines.within(stage.timeoutMs, () => {
        const fault = transient("TIMEOUT", `${stage.name} took longer than ${stage.timeoutMs} ms`);
        interrupt.abort(fault);
        resolve({ fault });
      });
      void runGuarded(held, interrupt, ports).then((result) => {
        inTime();
        resolve(result);
      });
    });
  } finally {
    held.abort.next = undefined;
    // Whatever the stage's code left running may not act for an item that has moved on.
    interrupt.abort(OVER);
  }
}

const OVER = transient("OVER", "the visit is over");

async function runGuarded(held: Held, interrupt: Interrupt, ports: VisitPorts): Promise<VisitResult> {
  try {
    return { outcome: await withCheckedChildren(await runStage(held, interrupt, ports)) };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

async function runStage(held: Held, interrupt: Interrupt, ports: VisitPorts): Promise<Outcome> {
  const { stage } = held.place;
  const visit = new StageVisit(held, interrupt, ports);
  const turnedAway = await passGates(stage.enter, visit);
  if (turnedAway !== undefined) return turnedAway;
  const outcome = await stage.run(visit);
  if (outcome?.type !== "done" || stage.leave.length === 0) return outcome;
  return (await passGates(stage.leave, visit.leavingWith(outcome.output))) ?? outcome;
}

/** A gate that refuses throws; its name goes in front of what it said, so that history shows which one it was. */
async function passGates(gates: readonly Gate[], visit: Visit): Promise<Outcome | undefined> {
  for (const gate of gates) {
    try {
      const verdict = await gate(visit);
      if (verdict !== undefined) return verdict;
    } catch (error) {
      const fault = toFault(error);
      if (gate.name !== "") fault.message = `gate ${gate.name}: ${fault.message}`;
      throw fault;
    }
  }
  return undefined;
}
