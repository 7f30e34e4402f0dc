// Claiming from the lanes of a service. Its row is locked first, never waiting for it, so capacity, ramp and rate are exact
// over all workers. (The breaker itself is a valve, and the claim asks about valves anyway.)

import type { Database, Statement } from "../db/database.ts";
import { limitOf, lockService, saveGrants } from "../services/grants.sql.ts";
import { grant, roomIn } from "../services/rate.ts";
import type { ServiceRow } from "../services/service.sql.ts";
import { type ClaimedRow, type ClaimPlace, claim, claimProbe, type Take } from "./claim.sql.ts";

interface LaneInside {
  readonly lane: number;
  readonly cap: number | null;
  readonly takes_capacity: boolean;
  readonly leased: number;
  readonly inside: number;
}

// Rows handed on keep the lane they were claimed from, so the stage decides who is still in this one.
const INSIDE: Statement = {
  name: "service-inside",
  text: `
select l.id as lane, l.cap, l.takes_capacity, count(r.id) filter (where r.state = 1)::int as leased, count(r.id)::int as inside
from sluice.lane l
left join sluice.run r on r.lane = l.id and r.state <> 0 and r.stage = l.stage
where l.service = $1
group by l.id`,
};

export async function claimFromService(
  db: Database,
  service: string,
  places: readonly ClaimPlace[],
  wanted: number,
  epoch: string,
  take: Take = claim,
): Promise<ClaimedRow[]> {
  return await db.transaction(async (tx) => {
    const row = await lockService(tx, service);
    if (row === undefined || (row.busy_until !== null && row.busy_until > row.now)) return [];
    const lanes = await tx.query<LaneInside>(INSIDE, [service]);
    const room = roomOf(row, lanes);
    const rows: ClaimedRow[] = [];
    for (const group of groupsOf(lanes, places)) {
      const free = group.takesCapacity ? room.capacity : Number.POSITIVE_INFINITY;
      const most = Math.min(wanted - rows.length, room.ramp, room.rate, free, group.room);
      if (most <= 0) continue;
      const taken = await take(tx, group.places, most, epoch);
      rows.push(...taken);
      room.ramp -= taken.length;
      room.rate -= taken.length;
      if (group.takesCapacity) room.capacity -= taken.length;
    }
    const limit = limitOf(row);
    if (limit !== null && rows.length > 0)
      await saveGrants(tx, service, grant(row.grants, limit, row.now, rows.length).grants);
    return rows;
  });
}

/**
 * One item, let through an open breaker by whoever holds its probe. It has to find room as well: what is still there from
 * before the breaker opened takes its places until it has ended.
 */
export async function claimThrough(
  db: Database,
  service: string,
  places: readonly ClaimPlace[],
  epoch: string,
  take: Take = claimProbe,
): Promise<ClaimedRow[]> {
  return await db.transaction(async (tx) => {
    const row = await lockService(tx, service);
    if (row === undefined) return [];
    const lanes = await tx.query<LaneInside>(INSIDE, [service]);
    const { capacity } = roomOf(row, lanes);
    const open = new Set(
      lanes
        .filter((lane) => (capacity > 0 || !lane.takes_capacity) && (lane.cap === null || lane.inside < lane.cap))
        .map((lane) => lane.lane),
    );
    const free = places.filter((place) => open.has(place.lane));
    return free.length === 0 ? [] : await take(tx, free, 1, epoch);
  });
}

interface Room {
  capacity: number;
  ramp: number;
  rate: number;
}

function roomOf(row: ServiceRow, lanes: readonly LaneInside[]): Room {
  const limit = limitOf(row);
  const sum = (counted: readonly LaneInside[], key: "inside" | "leased") =>
    counted.reduce((total, lane) => total + lane[key], 0);
  const taking = lanes.filter((lane) => lane.takes_capacity);
  return {
    capacity: row.capacity === null ? Number.POSITIVE_INFINITY : row.capacity - sum(taking, "inside"),
    ramp: row.ramp === null ? Number.POSITIVE_INFINITY : row.ramp - sum(lanes, "leased"),
    rate: limit === null ? Number.POSITIVE_INFINITY : roomIn(row.grants, limit, row.now),
  };
}

interface Group {
  readonly places: readonly ClaimPlace[];
  readonly takesCapacity: boolean;
  readonly room: number;
}

/**
 * What frees capacity first; then those without a cap together, and each with one alone. Their rows need no lock of their
 * own: whoever claims from them has the service's.
 */
function groupsOf(lanes: readonly LaneInside[], places: readonly ClaimPlace[]): Group[] {
  const of = (chosen: readonly LaneInside[]) => {
    const ids = new Set(chosen.map((lane) => lane.lane));
    return places.filter((place) => ids.has(place.lane));
  };
  const open = lanes.filter((lane) => lane.cap === null);
  const groups: Group[] = [false, true].map((takesCapacity) => ({
    places: of(open.filter((lane) => lane.takes_capacity === takesCapacity)),
    takesCapacity,
    room: Number.POSITIVE_INFINITY,
  }));
  for (const lane of lanes) {
    if (lane.cap === null) continue;
    groups.push({ places: of([lane]), takesCapacity: lane.takes_capacity, room: lane.cap - lane.inside });
  }
  return groups.filter((group) => group.places.length > 0);
}
