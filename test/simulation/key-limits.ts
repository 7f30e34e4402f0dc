// Of one key no more are in a stage than its limit says, over all workers. What a person let through is counted, and is not
// held back: from then until it is idle again, the others have to keep to the limit without it.

import type { Counts } from "./counts.ts";
import type { LaneRow, Snapshot } from "./snapshot.sql.ts";
import { Violation } from "./violation.ts";

export class KeyLimits {
  readonly #passed = new Set<string>();

  check({ runs }: Snapshot, lanes: ReadonlyMap<number, LaneRow>, counts: Counts): void {
    const held = new Map<string, number>();
    for (const [id, , , , lane, stage, state, , , , , , , , isManual, fair] of runs) {
      if (state === 0) this.#passed.delete(id);
      else if (isManual) this.#passed.add(id);
      const { per_key: perKey = null, stage: of, stage_name: name } = lanes.get(lane) ?? {};
      // Handed on, it is no longer there.
      if (state === 0 || perKey === null || of !== stage || this.#passed.has(id)) continue;
      const place = `${lane}/${fair}`;
      const taken = (held.get(place) ?? 0) + 1;
      held.set(place, taken);
      if (taken > perKey)
        throw new Violation("key limit", `${taken} items of key ${fair} in ${name}, which takes ${perKey}`);
      if (taken === perKey) counts.add("checked: key limit");
    }
  }
}
