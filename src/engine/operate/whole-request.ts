// One action on all items of a request that have not ended, a page at a time: ten thousand at once would hold their locks
// too long. Whoever dies half-way has done some, and does the rest when it asks again.

import { persistently } from "../db/persistently.ts";
import { type ActPorts, isPassing } from "./act.ts";
import { type ActionResult, wouldTouch } from "./action-result.ts";
import { consider } from "./consider.ts";
import { liveItemsAfter } from "./facts.sql.ts";
import { type Action, wouldDo } from "./plan.ts";
import { untilStill } from "./until-still.ts";
import { type Planned, writeChanges } from "./write.ts";

const PAGE = 500;
const PAGES = 10_000;

export async function actOnRequest(
  ports: ActPorts,
  action: Action,
  request: string,
  { actor, dryRun }: { readonly actor: string; readonly dryRun: boolean },
): Promise<ActionResult> {
  let after = "0";
  let touched = 0;
  let reason = "nothing of it is alive";
  for (let page = 0; page < PAGES; page += 1) {
    const items = await liveItemsAfter(ports.db, request, after, PAGE);
    const last = items.at(-1);
    if (last === undefined) break;
    after = last;
    const done = dryRun
      ? await considerPage(ports, action, items, actor)
      : await actOnPage(ports, action, items, actor);
    touched += done.touched;
    reason = done.reason ?? reason;
  }
  if (touched === 0) return { ok: false, reason };
  return dryRun ? wouldTouch(touched) : { ok: true };
}

interface Touched {
  readonly touched: number;
  /** Why one of them was not. */
  readonly reason: string | undefined;
}

async function considerPage(
  ports: ActPorts,
  action: Action,
  items: readonly string[],
  actor: string,
): Promise<Touched> {
  const considered = await consider(ports, action, items, actor);
  let touched = 0;
  let reason: string | undefined;
  for (const { facts, plan } of considered) {
    if ("change" in plan) touched += wouldDo(facts, plan.change).items;
    else reason = plan.refusal;
  }
  return { touched, reason };
}

async function actOnPage(ports: ActPorts, action: Action, items: readonly string[], actor: string): Promise<Touched> {
  const { db, random, registry } = ports;
  let open: readonly string[] = items;
  let touched = 0;
  let reason: string | undefined;
  await untilStill(async () => {
    const considered = await consider(ports, action, open, actor);
    const planned: Planned[] = [];
    for (const { facts, plan } of considered) {
      if ("change" in plan) planned.push({ facts, change: plan.change });
      else reason = plan.refusal;
    }
    if (planned.length === 0) return "none";
    const write = () => db.transaction((tx) => writeChanges({ tx, actor, random, registry }, action, planned));
    const written = await persistently(write, isPassing);
    touched += written.size;
    open = planned.map((one) => one.facts.id).filter((id) => !written.has(id));
    return open.length > 0 ? "moved" : "all";
  });
  return { touched, reason };
}
