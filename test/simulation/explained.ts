// What explain() says of an item is what the claim would do with it: "queued" for what it takes, and for nothing else. Lists say the same.

import type { Database } from "../../src/engine/db/database.ts";
import type { Explanation } from "../../src/engine/index.ts";
import { explainItem } from "../../src/engine/read/explain-item.ts";
import { formatId } from "../../src/kit/index.ts";
import { agrees, claimEverything } from "../support/claimable.ts";
import { listedOtherwise } from "../support/listed.ts";
import { Dice } from "./dice.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/** Explaining all of them would take longer than the rest of the step. */
const SAMPLE = 4;
const CLAIM_MOST = 1_000;

export async function checkExplained(world: World, step: number): Promise<void> {
  const { runs, services } = world.invariants.last;
  // A service whose lane is new has its row a second later; until then nobody claims from it.
  const known = new Set(["", ...services.map(([name]) => name)]);
  const idle = runs.filter((run) => run[6] === 0 && known.has(world.invariants.laneOf(run)?.service ?? ""));
  if (idle.length === 0) return;
  const dice = new Dice(world.seed, "explained", step);
  const sample = new Set(Array.from({ length: SAMPLE }, () => dice.pick(idle)));
  await world.tryOut(async (db) => {
    const told = new Map<string, Explanation>();
    // Before the claims: afterwards nothing would be idle.
    for (const [id] of sample) told.set(id, await explainItem(db, () => undefined, formatId("item", id)));
    const [otherwise] = await listedOtherwise(db, told);
    if (otherwise !== undefined) throw new Violation("explained", `item ${otherwise.item} ${otherwise.what}`);
    const taken = await claimed(world, db);
    for (const run of sample) {
      const [id] = run;
      const reason = told.get(id)?.reason ?? "";
      world.counts.add("checked: explained");
      world.counts.add(`explained: ${reason}`);
      if (reason === "unknown") throw new Violation("explained", `nobody knows why item ${id} waits`);
      const lane = world.invariants.laneOf(run);
      if (lane !== undefined && !agrees(reason, id, lane, taken, (other) => serviceOf(world, other)))
        throw new Violation(
          "explained",
          `item ${id} is told "${reason}" and the claim ${taken.has(id) ? "takes" : "leaves"} it`,
        );
    }
  });
}

function serviceOf(world: World, lane: number): string {
  return world.invariants.lanes().find(({ id }) => id === lane)?.service ?? "";
}

async function claimed(world: World, db: Database): Promise<Map<string, number>> {
  const alive = world.invariants.last.workers.filter(([, state]) => state === 0);
  const [someone] = alive;
  if (someone === undefined) return new Map();
  const served = new Set(alive.flatMap(([, , pipelines]) => pipelines));
  const lanes = world.invariants.lanes().filter((lane) => served.has(lane.pipeline_id));
  const isHeld = ({ pipeline, version, stage_name, service }: (typeof lanes)[number]) =>
    world.invariants.closedOver(pipeline, version, stage_name, service).length > 0;
  return await claimEverything(db, { epoch: someone[0], lanes, isHeld }, CLAIM_MOST);
}
