// A visit with everything that may stand around the stage's own code: functions of the installation, gates, parts, work outside.

import type { VisitResult } from "../items/standing.ts";
import { toFault } from "../pipeline/fault.ts";
import type { Done, Outcome } from "../pipeline/outcome.ts";
import type { Gate, Stage, Visit } from "../pipeline/stage.ts";
import { visitInside } from "./around-visit.ts";
import { hasChildren, withCheckedChildren } from "./checked-children.ts";
import type { Held } from "./held.ts";
import { type OutsidePorts, visitOutside } from "./outside-visit.ts";
import { hasItsParts, type PartsPorts, serviceToGoTo, visitParts } from "./parts-visit.ts";
import { CLEANUP } from "./registry.ts";
import type { StageVisit, VisitPorts } from "./stage-visit.ts";

/** The engine's own work is nobody's to wrap. */
export function isUnwrapped(held: Held, ports: VisitPorts): boolean {
  return ports.around.length === 0 || held.place.pipeline.name === CLEANUP;
}

export function runGuarded(held: Held, visit: StageVisit, ports: VisitPorts): Promise<VisitResult> {
  if (isUnwrapped(held, ports)) return runVisit(held, visit, ports);
  return visitInside(ports.around, visit, () => runVisit(held, visit, ports));
}

async function runVisit(held: Held, visit: StageVisit, ports: VisitPorts): Promise<VisitResult> {
  try {
    if (hasItsParts(held)) return await visitParts(held, visit, partsPorts(held, visit, ports));
    const chosen = serviceToGoTo(held);
    if (chosen !== undefined) return { chosen };
    const result =
      held.place.stage.outside === undefined
        ? { outcome: await runStage(held, visit, ports) }
        : await visitOutside(held, visit, outsidePorts(held, visit, ports));
    if (!("outcome" in result) || !hasChildren(result.outcome)) return result;
    return { ...result, outcome: await withCheckedChildren(result.outcome) };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

async function runStage(held: Held, visit: StageVisit, ports: VisitPorts): Promise<Outcome> {
  const { enter, leave } = held.place.stage;
  if (enter.length > 0) {
    const turnedAway = await enterStage(held, visit);
    if (turnedAway !== undefined) return turnedAway;
  }
  const outcome = await workOf(held.place.stage, visit, ports);
  return leave.length > 0 && outcome?.type === "done" ? await leaveStage(held, visit, outcome) : outcome;
}

export function workOf(stage: Stage, visit: StageVisit, ports: VisitPorts): Outcome | Promise<Outcome> {
  if (stage.many !== undefined) return ports.gathering.join(stage.many, visit);
  return stage.thread === undefined ? stage.run(visit) : ports.threads.run(stage.thread, visit);
}

/** Gates are the item's: it enters and leaves the stage once, however many parts it has there. */
async function enterStage(held: Held, visit: StageVisit): Promise<Outcome | undefined> {
  return held.row.part === null ? await passGates(held.place.stage.enter, visit) : undefined;
}

async function leaveStage(held: Held, visit: StageVisit, outcome: Done<unknown>): Promise<Outcome> {
  const { leave } = held.place.stage;
  if (leave.length === 0 || held.row.part !== null) return outcome;
  return (await passGates(leave, visit.leavingWith(outcome.output))) ?? outcome;
}

function outsidePorts(held: Held, visit: StageVisit, ports: VisitPorts): OutsidePorts {
  return {
    call: (service, work) => ports.call(held, service, work, visit.signal),
    enter: () => enterStage(held, visit),
    leave: (outcome) => leaveStage(held, visit, outcome),
  };
}

function partsPorts(held: Held, visit: StageVisit, ports: VisitPorts): PartsPorts {
  return {
    installation: ports.installation,
    within: (ms, onTime) => ports.deadlines.within(ms, onTime),
    call: (service, work) => ports.call(held, service, work, visit.signal),
    enter: () => enterStage(held, visit),
    leave: (outcome) => leaveStage(held, visit, outcome),
  };
}

/** A gate that refuses throws, or sends back; its name goes in front of what it said, so that history shows which one it was. */
async function passGates(gates: readonly Gate[], visit: Visit): Promise<Outcome | undefined> {
  for (const gate of gates) {
    try {
      const verdict = await gate(visit);
      if (verdict !== undefined) return gate.name === "" ? verdict : { ...verdict, gate: gate.name };
    } catch (error) {
      const fault = toFault(error);
      if (gate.name !== "") fault.message = `gate ${gate.name}: ${fault.message}`;
      throw fault;
    }
  }
  return undefined;
}
