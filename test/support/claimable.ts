// What the live workers would take now if they had all the room they wanted, by the claims themselves, and whether what is told of
// an item agrees with that. Called inside of a transaction that is rolled back.

import type { Database } from "../../src/engine/db/database.ts";
import { claim, claimCapped } from "../../src/engine/items/claim.sql.ts";
import { claimFair } from "../../src/engine/items/claim-fair.sql.ts";
import { claimManual } from "../../src/engine/items/claim-manual.sql.ts";
import { claimFromService } from "../../src/engine/items/claim-service.sql.ts";
import { dueLanes } from "../../src/engine/items/due-lanes.sql.ts";
import { byPriority } from "../../src/engine/workers/turns.ts";

export interface ClaimLane {
  readonly id: number;
  readonly service: string;
  readonly cap: number | null;
  readonly per_key: number | null;
}

export interface Claimers<Lane extends ClaimLane> {
  /** Some live worker. */
  readonly epoch: string;
  /** The lanes that live workers serve. */
  readonly lanes: readonly Lane[];
  /** Some valve keeps what is in it; what was let through by hand passes. */
  isHeld(lane: Lane): boolean;
}

/** By age where keys have no limit. */
const limitedTake = byPriority(claimFair);

/** Each id that is taken, with its lane. */
export async function claimEverything<Lane extends ClaimLane>(
  db: Database,
  { epoch, lanes, isHeld }: Claimers<Lane>,
  most: number,
): Promise<Map<string, number>> {
  const due = await dueLanes(
    db,
    lanes.map(({ id }) => id),
  );
  const dueOf = (some: readonly Lane[]) => asked(some).filter((at) => due.get(at.lane)?.includes(at.priority));
  const plain = lanes.filter(({ service }) => service === "");
  const held = lanes.filter(isHeld);
  const rows = await claim(db, asked(plain.filter((lane) => !isCounted(lane))), most, epoch);
  for (const lane of plain.filter((one) => isCounted(one) && due.has(one.id)))
    rows.push(...(await claimCapped(db, dueOf([lane]), most, epoch, limitedTake)));
  // What was let through is asked for only behind a valve that holds the others.
  const passing = held.filter(({ service }) => service === "");
  rows.push(...(await claimManual(db, asked(passing.filter((lane) => !isCounted(lane))), most, epoch)));
  for (const lane of passing.filter(isCounted))
    rows.push(...(await claimCapped(db, asked([lane]), most, epoch, claimManual)));
  const behind = Map.groupBy(lanes, ({ service }) => service);
  behind.delete("");
  for (const [service, its] of behind) {
    rows.push(...(await claimFromService(db, service, dueOf(its), most, epoch, limitedTake)));
    const passed = asked(its.filter((lane) => held.includes(lane)));
    if (passed.length > 0) rows.push(...(await claimFromService(db, service, passed, most, epoch, claimManual)));
  }
  return new Map(rows.map(({ id, lane }) => [id, lane]));
}

const isCounted = ({ cap, per_key }: ClaimLane) => cap !== null || per_key !== null;

function asked(lanes: readonly ClaimLane[]) {
  return lanes.flatMap(({ id, per_key }) =>
    [1, 2, 3, 4, 5].map((priority) => ({
      ...{ lane: id, priority, floor: 0 },
      ...(per_key === null ? {} : { after: "0" }),
    })),
  );
}

/** "queued" is told of what the claim takes, and of nothing else. */
export function agrees(
  reason: string,
  id: string,
  lane: ClaimLane,
  taken: ReadonlyMap<string, number>,
  serviceOf: (lane: number) => string,
): boolean {
  const isTaken = taken.has(id);
  if (reason !== "queued") return !isTaken;
  // Of a lane with few places, or of lanes that share those of a service, not everybody in line is taken, but somebody is.
  const isShared = (other: number) => other === lane.id || (lane.service !== "" && lane.service === serviceOf(other));
  return isTaken || ((isCounted(lane) || lane.service !== "") && [...taken.values()].some(isShared));
}
