// What explain() says of an item is what the claim would do with it: "queued" for what it takes, and for nothing else.

import type { Database } from "../../src/engine/db/database.ts";
import { claim, claimCapped } from "../../src/engine/items/claim.sql.ts";
import { claimFair } from "../../src/engine/items/claim-fair.sql.ts";
import { claimManual } from "../../src/engine/items/claim-manual.sql.ts";
import { claimFromService } from "../../src/engine/items/claim-service.sql.ts";
import { dueLanes } from "../../src/engine/items/due-lanes.sql.ts";
import { explainItem } from "../../src/engine/read/explain-item.ts";
import { byPriority } from "../../src/engine/workers/turns.ts";
import { formatId } from "../../src/kit/index.ts";
import { Dice } from "./dice.ts";
import type { LaneRow } from "./snapshot.sql.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/** Explaining all of them would take longer than the rest of the step. */
const SAMPLE = 4;
const CLAIM_MOST = 1_000;
/** By age where keys have no limit. */
const limitedTake = byPriority(claimFair);

export async function checkExplained(world: World, step: number): Promise<void> {
  const { runs, services } = world.invariants.last;
  // A service whose lane is new has its row a second later; until then nobody claims from it.
  const known = new Set(["", ...services.map(([name]) => name)]);
  const idle = runs.filter((run) => run[6] === 0 && known.has(world.invariants.laneOf(run)?.service ?? ""));
  if (idle.length === 0) return;
  const dice = new Dice(world.seed, "explained", step);
  const sample = new Set(Array.from({ length: SAMPLE }, () => dice.pick(idle)));
  await world.tryOut(async (db) => {
    const told = new Map<string, string>();
    // Before the claims: afterwards nothing would be idle.
    for (const [id] of sample) told.set(id, (await explainItem(db, () => undefined, formatId("item", id))).reason);
    const taken = await claimEverything(world, db);
    for (const run of sample) {
      const [id, , , , lane] = run;
      const reason = told.get(id) ?? "";
      world.counts.add("checked: explained");
      world.counts.add(`explained: ${reason}`);
      if (reason === "unknown") throw new Violation("explained", `nobody knows why item ${id} waits`);
      const isTaken = taken.has(id);
      const at = world.invariants.laneOf(run);
      const isCapped = at?.cap !== null || at.per_key !== null || at.service !== "";
      // Of a lane with few places, or of lanes that share those of a service, not everybody in line is taken, but somebody is.
      const isShared = (other: number) =>
        other === lane || (at !== undefined && at.service !== "" && at.service === serviceOf(world, other));
      const agrees = reason === "queued" ? isTaken || (isCapped && [...taken.values()].some(isShared)) : !isTaken;
      if (!agrees)
        throw new Violation(
          "explained",
          `item ${id} is told "${reason}" and the claim ${isTaken ? "takes" : "leaves"} it`,
        );
    }
  });
}

function serviceOf(world: World, lane: number): string {
  return world.invariants.lanes().find(({ id }) => id === lane)?.service ?? "";
}

/** What the live workers would take now if they had all the room they wanted: each id with its lane. */
async function claimEverything(world: World, db: Database): Promise<Map<string, number>> {
  const alive = world.invariants.last.workers.filter(([, state]) => state === 0);
  const [someone] = alive;
  if (someone === undefined) return new Map();
  const served = new Set(alive.flatMap(([, , pipelines]) => pipelines));
  const lanes = world.invariants.lanes().filter((lane) => served.has(lane.pipeline_id));
  const [epoch] = someone;
  const due = await dueLanes(
    db,
    lanes.map(({ id }) => id),
  );
  const dueOf = (some: readonly LaneRow[]) => asked(some).filter((at) => due.get(at.lane)?.includes(at.priority));
  const plain = lanes.filter(({ service }) => service === "");
  const isCounted = ({ cap, per_key }: LaneRow) => cap !== null || per_key !== null;
  // What was let through is asked for only behind a valve that holds the others.
  const held = lanes.filter(
    ({ pipeline, version, stage_name, service }) =>
      world.invariants.closedOver(pipeline, version, stage_name, service).length > 0,
  );
  const rows = await claim(db, asked(plain.filter((lane) => !isCounted(lane))), CLAIM_MOST, epoch);
  for (const lane of plain.filter((one) => isCounted(one) && due.has(one.id)))
    rows.push(...(await claimCapped(db, dueOf([lane]), CLAIM_MOST, epoch, limitedTake)));
  const passing = held.filter(({ service }) => service === "");
  rows.push(...(await claimManual(db, asked(passing.filter((lane) => !isCounted(lane))), CLAIM_MOST, epoch)));
  for (const lane of passing.filter(isCounted))
    rows.push(...(await claimCapped(db, asked([lane]), CLAIM_MOST, epoch, claimManual)));
  const behind = Map.groupBy(lanes, ({ service }) => service);
  behind.delete("");
  for (const [service, its] of behind) {
    rows.push(...(await claimFromService(db, service, dueOf(its), CLAIM_MOST, epoch, limitedTake)));
    const passed = asked(its.filter((lane) => held.includes(lane)));
    if (passed.length > 0) rows.push(...(await claimFromService(db, service, passed, CLAIM_MOST, epoch, claimManual)));
  }
  return new Map(rows.map(({ id, lane }) => [id, lane]));
}

function asked(lanes: readonly LaneRow[]) {
  return lanes.flatMap(({ id, per_key }) =>
    [1, 2, 3, 4, 5].map((priority) => ({
      ...{ lane: id, priority, floor: 0 },
      ...(per_key === null ? {} : { after: "0" }),
    })),
  );
}
