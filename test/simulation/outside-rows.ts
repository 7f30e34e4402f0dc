// What must hold after every commit of what happens outside: whatever is watched is written down, whatever is owed has
// somebody who removes it, and no service has more of ours than it takes.

import type { Counts } from "./counts.ts";
import type { LaneRow, Snapshot } from "./snapshot.sql.ts";
import { Violation } from "./violation.ts";

/** The grants that were seen of each service: by their time, the most at that time. */
export type SeenGrants = Map<string, Map<number, number>>;

export function checkOutsideRows(next: Snapshot, lanes: ReadonlyMap<number, LaneRow>, counts: Counts): void {
  checkWatched(next, lanes, counts);
  checkOwed(next, counts);
  checkCapacity(next, lanes, counts);
}

function checkWatched(next: Snapshot, lanes: ReadonlyMap<number, LaneRow>, counts: Counts): void {
  for (const run of next.runs) {
    const [id, , epoch, , lane, , state] = run;
    if (state !== 2) continue;
    const ref = run[12];
    const service = lanes.get(lane)?.service;
    if (epoch !== String(-lane)) throw new Violation("watched", `item ${id} is watched by ${epoch} in lane ${lane}`);
    const intent = next.intents.find(([, item, , known, , isOver]) => item === id && known === ref && !isOver);
    if (ref === null || intent === undefined)
      throw new Violation(
        "watched",
        `item ${id} is watched as ${ref}, and nobody wrote that down: ${JSON.stringify(next.intents.filter(([, item]) => item === id))}`,
      );
    if (intent[2] !== service || intent[4])
      throw new Violation("watched", `item ${id} is watched at ${service}; its intent says ${JSON.stringify(intent)}`);
    counts.add("checked: watched");
  }
}

function checkOwed(next: Snapshot, counts: Counts): void {
  const live = new Set(next.runs.map((run) => run[0]));
  for (const [key, item, , , isOwed, isOver, cleanup] of next.intents) {
    if (isOver) continue;
    if (isOwed && cleanup !== null) {
      counts.add("checked: owed");
      if (!live.has(cleanup))
        throw new Violation("orphans", `${key} of item ${item} is owed, and nobody removes it any more`);
    }
    if (!isOwed && !live.has(item))
      throw new Violation("orphans", `item ${item} has ended, and ${key} is neither over nor owed`);
  }
}

/** Until the outside job ends: leased or watched in a lane of the service. */
function checkCapacity(next: Snapshot, lanes: ReadonlyMap<number, LaneRow>, counts: Counts): void {
  const inside = new Map<string, number>();
  for (const [, , , , at, stage, state] of next.runs) {
    const lane = lanes.get(at);
    if (lane === undefined || state === 0 || lane.service === "" || !lane.takes_capacity || lane.stage !== stage)
      continue;
    inside.set(lane.service, (inside.get(lane.service) ?? 0) + 1);
  }
  for (const [name, , , , capacity] of next.services) {
    const taken = inside.get(name) ?? 0;
    if (capacity === null || taken === 0) continue;
    if (taken > capacity) throw new Violation("capacity", `${taken} items are at ${name}, which takes ${capacity}`);
    if (taken === capacity) counts.add("checked: service capacity");
  }
}

/** No window of the limit's length has more than the limit, by the database's clock. */
export function checkRates(next: Snapshot, seen: SeenGrants, counts: Counts): void {
  for (const [name, , , , , limit, perMs, grants] of next.services) {
    if (limit === null || perMs === null || grants.length === 0) continue;
    const known = seen.get(name) ?? new Map<number, number>();
    seen.set(name, known);
    for (const [at, count] of grants) known.set(at, Math.max(count, known.get(at) ?? 0));
    for (const [until] of grants) {
      const within = [...known].filter(([at]) => at > until - perMs && at <= until);
      const sum = within.reduce((total, [, count]) => total + count, 0);
      if (sum > limit)
        throw new Violation("rate", `${name} grants ${sum} in a window of ${perMs} ms, and its limit is ${limit}`);
      if (sum === limit) counts.add("checked: full windows");
    }
  }
}
