// The hot statements alone: claimed, settled and handed on as a worker does it, without handlers, timeouts and checks.
// What is missing to "raw journal" is what fence, lanes, priorities, valves, requests and feed cost in the database.

import type { Database } from "../../src/engine/db/database.ts";
import { openPostgres } from "../../src/engine/db/postgres.ts";
import { type ClaimedRow, claim } from "../../src/engine/items/claim.sql.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { type Settlement, settle } from "../../src/engine/items/settle.sql.ts";
import { Registry } from "../../src/engine/workers/registry.ts";
import { enterWorker } from "../../src/engine/workers/worker-row.sql.ts";
import type { Contender, Task } from "../contender.ts";
import { BATCH, CONNECTIONS } from "../payload.ts";
import { sluice } from "./sluice.ts";
import { pipelineOf } from "./sluice-pipeline.ts";

const EPOCH = "4242424242";
const OUTPUT = JSON.stringify({ ok: true });

type Visited = Pick<ClaimedRow, "id" | "version" | "stage" | "priority">;

interface Line {
  readonly pipeline: number | null;
  /** The furthest stage first. */
  readonly lanes: readonly number[];
}

export const statements: Contender = {
  store: "postgres",
  isBare: true,
  async open(place, task) {
    const filled = await sluice.open(place, task);
    const db = openPostgres({ url: place.postgres, connections: CONNECTIONS });
    const places = (await Registry.register(db, [pipelineOf(task)])).lanes();
    const line = { pipeline: places[0]?.pipelineId ?? null, lanes: places.map((one) => one.lane) };
    await enterWorker(db, { name: "bench", host: "here", pid: 1, pidStarted: "1" }, EPOCH, [1]);
    return {
      ...filled,
      async work() {
        await Promise.all(Array.from({ length: CONNECTIONS }, () => drainOne(db, line, task)));
      },
      async close() {
        await db.close();
        await filled.close();
      },
    };
  },
};

/** Takes a batch through all stages, then the next one, until nothing is ready. */
async function drainOne(db: Database, line: Line, { stages }: Task): Promise<void> {
  const { lanes } = line;
  const places = [1, 2, 3, 4, 5].flatMap((priority) => lanes.map((lane) => ({ lane, priority, floor: 0 })));
  for (;;) {
    let batch: Visited[] = await claim(db, places, BATCH, EPOCH);
    if (batch.length === 0) return;
    for (let stage = 0; stage < stages; stage += 1) {
      const settled = await settle(
        db,
        batch.map((one) => finished(one, line, stages)),
        { epoch: EPOCH, servedLanes: lanes },
      );
      if (settled.length !== batch.length) throw new Error("a settlement was refused");
      const versions = new Map(settled.map((row) => [row.id, row.version]));
      batch = batch.map((one) => ({ ...one, stage: stage + 1, version: versions.get(one.id) ?? 0 }));
    }
  }
}

function finished(one: Visited, { pipeline, lanes }: Line, stages: number): Settlement {
  const isLast = one.stage === stages - 1;
  return {
    id: one.id,
    version: one.version,
    pipeline,
    stage: one.stage,
    kind: JOURNAL_KIND.done,
    ended: isLast ? ITEM_STATE.done : 0,
    toStage: isLast ? null : one.stage + 1,
    toLane: isLast ? null : (lanes[stages - 2 - one.stage] ?? null),
    handOff: !isLast,
    priority: one.priority,
    tookMs: 0,
    output: OUTPUT,
    detail: null,
  };
}
