// A visit of an item whose stage works in parts: to make them, or to see what came of them. The parts themselves are visited
// like every other item.

import { BugError } from "../../kit/index.ts";
import { judgeParts, PARTS_FAILED, partsFailure, sumUpParts } from "../items/parts.ts";
import type { VisitResult } from "../items/standing.ts";
import { permanent } from "../pipeline/fault.ts";
import { type Done, done, type Outcome, skip } from "../pipeline/outcome.ts";
import { checkedParts } from "../pipeline/parts.ts";
import type { Visit } from "../pipeline/stage.ts";
import type { Held } from "./held.ts";
import { standingOf } from "./held-parts.ts";
import { type UndoPorts, withdraw } from "./parts-undo.ts";

export interface PartsPorts extends UndoPorts {
  /** Answers with an outcome when a gate sends the item elsewhere. */
  enter(): Promise<Outcome | undefined>;
  leave(outcome: Done<unknown>): Promise<Outcome>;
}

/** Whether it is the item itself that is visited, and not one of its parts. */
export function hasItsParts(held: Held): boolean {
  return held.place.stage.parts !== undefined && held.row.part === null;
}

/** A part that came by the stage's plain lane, as after a retry: the lane it belongs to, where there is one. */
export function serviceToGoTo(held: Held): string | undefined {
  const { stage, service } = held.place;
  if (held.row.part === null || service !== "" || held.row.ref !== null) return undefined;
  return stage.parts?.serviceOf(held.row.part)?.name;
}

export async function visitParts(held: Held, visit: Visit, ports: PartsPorts): Promise<VisitResult> {
  const { parts } = held;
  if (parts === undefined) return await makeThem(held, visit, ports);
  const standings = parts.list.map(standingOf);
  switch (judgeParts(standings, parts.isWhole)) {
    case "wait":
      return { parts: { await: parts.request } };
    case "done":
      return { outcome: await ports.leave(done(sumUpParts(standings))) };
    case "failed":
      return { fault: permanent(PARTS_FAILED, partsFailure(standings)) };
    case "withdraw":
      return await withdraw(held, parts, visit, ports);
  }
}

async function makeThem(held: Held, visit: Visit, ports: PartsPorts): Promise<VisitResult> {
  const { parts: work, name } = held.place.stage;
  if (work === undefined) throw new BugError("this stage has no parts");
  const turnedAway = await ports.enter();
  if (turnedAway !== undefined) return { outcome: turnedAway };
  const make = checkedParts(await work.list(visit), work, name);
  if (make.length === 0) return { outcome: skip(work.none, sumUpParts([])) };
  return { parts: { make, isWhole: work.policy(visit) === "all-or-nothing" } };
}
