// What people do only in some seeds: act on many items at once, remove requests, hurry finders, pause schedules.

import type { BulkFilter } from "../../src/engine/operate/bulk.ts";
import type { Action } from "../../src/engine/operate/plan.ts";
import { formatId } from "../../src/kit/index.ts";
import { REMOVER } from "./actions.sql.ts";
import type { Dice } from "./dice.ts";
import type { Kind } from "./swarm.ts";
import type { UserWorld } from "./users.ts";

export async function actSpecially(world: UserWorld, dice: Dice): Promise<void> {
  const actions: Record<Kind, () => Promise<unknown>> = {
    bulk: () => bulk(world, dice),
    finders: () => find(world, dice),
    schedules: () => schedule(world, dice),
    // A submission with a deadline is a submission.
    deadlines: async () => undefined,
    removal: () => remove(world, dice),
  };
  await actions[dice.pick([...world.kinds])]();
}

async function bulk({ client, counts, invariants }: UserWorld, dice: Dice): Promise<void> {
  const [running] = invariants.actions.bulk?.open ?? [];
  if (running !== undefined && dice.chance(0.15)) {
    const { ok } = await client.bulk.stop(formatId("operation", running));
    return counts.add(ok ? "bulk: stopped" : "bulk: over already");
  }
  const { items } = invariants.last;
  if (items.length === 0) return;
  const few = () => Array.from({ length: dice.between(1, 4) }, () => formatId("item", dice.pick(items)[0]));
  const filter = dice.pick<() => BulkFilter>([
    () => ({ pipeline: "main" }),
    () => ({ pipeline: dice.pick(["main", "small"]), state: dice.pick(["failed", "done", "waiting", "queued"]) }),
    () => ({ pipeline: "main", version: dice.between(1, 2) }),
    () => ({ request: formatId("request", dice.pick(items)[1]) }),
    () => ({ ids: few() }),
  ])();
  const from = dice.pick(["fetch", "place", "only"]);
  const action = dice.pick<Action>([
    { type: "retry" },
    { type: "retry" },
    { type: "set-priority", priority: dice.between(1, 5) },
    { type: "skip", reason: "by hand" },
    { type: "take-back" },
    { type: "cancel" },
    { type: "replay", from, as: "same" },
  ]);
  const copying: Action = { type: "replay", from, as: "copy" };
  const isCopying = dice.chance(0.1);
  const by = `bulk:${dice.between(1, 1_000_000_000)}`;
  const asked = [isCopying ? copying : action, isCopying ? { ids: few() } : filter] as const;
  if (dice.chance(0.2)) await client.bulk.preview(...asked);
  // With a key, the same again is the same operation.
  const calls = dice.chance(0.3) ? 2 : 1;
  const options = { by, ...(calls === 2 || dice.chance(0.3) ? { key: by } : {}) };
  const started = await Promise.allSettled(Array.from({ length: calls }, () => client.bulk.start(...asked, options)));
  counts.add("bulk: asked for");
  for (const one of started) if (one.status === "rejected" && calls === 1) throw one.reason;
}

async function find({ client, entities }: UserWorld, dice: Dice): Promise<unknown> {
  const name = dice.pick(["new-ones", "all-of-them"]);
  switch (dice.pick(["appear", "appear", "run", "rewind"])) {
    case "appear":
      return entities.appear();
    case "run":
      return await client.finders.run(name);
    default:
      return await client.finders.rewind(name, 0);
  }
}

async function schedule({ client }: UserWorld, dice: Dice): Promise<unknown> {
  const name = dice.pick(["often", "sundays"]);
  switch (dice.pick(["run", "pause", "resume", "resume"])) {
    case "run":
      return dice.chance(0.3) ? await client.schedules.run(name) : undefined;
    case "pause":
      return await client.schedules.pause(name);
    default:
      return await client.schedules.resume(name);
  }
}

async function remove({ client, counts, invariants }: UserWorld, dice: Dice): Promise<void> {
  const { requests } = invariants.last;
  if (requests.length === 0) return;
  const [request, , key] = dice.pick(requests);
  const target = key === null || dice.chance(0.6) ? formatId("request", request) : { pipeline: "main", key };
  const { ok } = await client.remove(target, { by: REMOVER });
  counts.add(ok ? "removal asked for" : "removal refused");
}
