// One action on one item: facts, plan, then a write that compares the version the facts were read with. Who loses that race
// begins again with new facts.

import { type Random, SluiceError } from "../../kit/index.ts";
import { isConflict, persistently } from "../db/persistently.ts";
import type { ActionResult } from "./action-result.ts";
import { cancelItems } from "./cancel.ts";
import { type Considered, type ConsiderPorts, consider } from "./consider.ts";
import { CopyJustMade } from "./copy.ts";
import { type Action, type Change, type Ordered, wouldDo } from "./plan.ts";
import { retryPart, whyNotPart } from "./retry-parts.ts";
import { untilStill } from "./until-still.ts";
import { writeChanges } from "./write.ts";

export interface ActPorts extends ConsiderPorts {
  readonly random: Random;
}

export interface ActOptions {
  readonly actor: string;
  readonly dryRun: boolean;
}

export async function act(
  ports: ActPorts,
  action: Ordered,
  item: string,
  { actor, dryRun }: ActOptions,
): Promise<ActionResult> {
  const result = await untilStill<ActionResult>(async () => {
    const [one] = await consider(ports, action, [item], actor);
    if (one === undefined) return { ok: false, reason: "there is no such item" };
    const { facts, plan } = one;
    if ("refusal" in plan) return { ok: false, reason: plan.refusal };
    if (dryRun) {
      const reason = plan.change.type === "reopen-part" ? await whyNotPart(ports.db, item) : undefined;
      return reason === undefined ? { ok: true, would: wouldDo(facts, plan.change) } : { ok: false, reason };
    }
    return (await write(ports, action, one, plan.change, actor)) ?? "moved";
  });
  return result ?? { ok: false, reason: "it changes all the time; try again in a moment" };
}

/** Undefined when it has moved since it was looked at. */
async function write(
  ports: ActPorts,
  action: Action,
  { facts }: Considered,
  change: Change,
  actor: string,
): Promise<ActionResult | undefined> {
  const { db, random, registry } = ports;
  // With everything it has spawned, which a single statement does not reach.
  if (action.type === "cancel") {
    const cancelled = await persistently(() => cancelItems(db, [facts.id], actor));
    return cancelled.length > 0 ? { ok: true } : undefined;
  }
  return await unlessKeyTaken(async () => {
    if (change.type === "reopen-part") {
      const { reason } = await retryPart(db, facts.id, actor);
      return reason === undefined ? { ok: true } : { ok: false, reason };
    }
    const write = () =>
      db.transaction((tx) => writeChanges({ tx, actor, random, registry }, action, [{ facts, change }]));
    const written = (await persistently(write, isPassing)).get(facts.id);
    if (written?.refusal !== undefined) return { ok: false, reason: written.refusal };
    return written === undefined ? undefined : { ok: true, ...written };
  });
}

export function isPassing(error: unknown): boolean {
  return isConflict(error) || error instanceof CopyJustMade;
}

/** Another request took the key of this one since it ended: both cannot be live. */
export async function unlessKeyTaken(work: () => Promise<ActionResult | undefined>): Promise<ActionResult | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isKeyTaken(error)) return { ok: false, reason: error.message };
    throw error;
  }
}

export function isKeyTaken(error: unknown): error is SluiceError {
  return error instanceof SluiceError && error.code === "KEY_TAKEN";
}
