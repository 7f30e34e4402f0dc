// The hot statements alone: claimed, settled and handed on as a worker does it, without handlers, timeouts and checks.
// What is missing to "raw journal" is what fence, lanes, priorities, valves, requests and feed cost in the database.

import type { Database } from "../src/engine/db/database.ts";
import { openPostgres } from "../src/engine/db/postgres.ts";
import { type ClaimedRow, claim } from "../src/engine/items/claim.sql.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../src/engine/items/codes.ts";
import { type Settlement, settle } from "../src/engine/items/settle.sql.ts";
import { Registry } from "../src/engine/workers/registry.ts";
import { enterWorker } from "../src/engine/workers/worker-row.sql.ts";
import { chain, fill } from "./chain.ts";
import type { Contender } from "./contender.ts";
import { BATCH, CONNECTIONS, STAGES } from "./workload.ts";

const EPOCH = "4242424242";
const OUTPUT = JSON.stringify({ ok: true });

type Visited = Pick<ClaimedRow, "id" | "version" | "stage" | "priority">;

export const statements = (perRequest: number): Contender => ({
  name: `statements, ${perRequest} item${perRequest === 1 ? "" : "s"} per request`,
  async prepare(url, count) {
    await fill(url, count, perRequest);
    const db = openPostgres({ url, connections: CONNECTIONS });
    const lanes = (await Registry.register(db, [chain])).lanes().map((place) => place.lane);
    await enterWorker(db, { name: "bench", host: "here", pid: 1, pidStarted: "1" }, EPOCH, [1]);
    return {
      async drain() {
        await Promise.all(Array.from({ length: CONNECTIONS }, () => drainOne(db, lanes)));
      },
      close: () => db.close(),
    };
  },
});

/** Takes a batch through all stages, then the next one, until nothing is ready. */
async function drainOne(db: Database, lanes: readonly number[]): Promise<void> {
  const places = [1, 2, 3, 4, 5].flatMap((priority) => lanes.map((lane) => ({ lane, priority, floor: 0 })));
  for (;;) {
    let batch: Visited[] = await claim(db, places, BATCH, EPOCH);
    if (batch.length === 0) return;
    for (let stage = 0; stage < STAGES; stage += 1) {
      const settled = await settle(
        db,
        batch.map((one) => finished(one, lanes)),
        { epoch: EPOCH, servedLanes: lanes },
      );
      if (settled.length !== batch.length) throw new Error("a settlement was refused");
      const versions = new Map(settled.map((row) => [row.id, row.version]));
      batch = batch.map((one) => ({ ...one, stage: stage + 1, version: versions.get(one.id) ?? 0 }));
    }
  }
}

function finished(one: Visited, lanes: readonly number[]): Settlement {
  const isLast = one.stage === STAGES - 1;
  return {
    id: one.id,
    version: one.version,
    stage: one.stage,
    kind: JOURNAL_KIND.done,
    ended: isLast ? ITEM_STATE.done : 0,
    toStage: isLast ? null : one.stage + 1,
    // Lanes are sorted with the furthest stage first.
    toLane: isLast ? null : (lanes[STAGES - 2 - one.stage] ?? null),
    handOff: !isLast,
    priority: one.priority,
    tookMs: 0,
    output: OUTPUT,
    detail: null,
  };
}
