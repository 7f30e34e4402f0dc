// One item at a time, as a worker takes it that has room for one, and finished apart: what a claim alone takes.

import { openPostgres } from "../../src/engine/db/postgres.ts";
import type { AnyPipeline } from "../../src/engine/index.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { settle } from "../../src/engine/items/settle.sql.ts";
import { Claimer } from "../../src/engine/workers/claimer.ts";
import { Registry } from "../../src/engine/workers/registry.ts";
import { Valves } from "../../src/engine/workers/valves.ts";
import { enterWorker, leaveWorker } from "../../src/engine/workers/worker-row.sql.ts";
import { systemClock, systemRandom } from "../../src/kit/index.ts";
import type { Taker } from "../contender.ts";

const EPOCH = "4343434343";

/** Of pipelines with one stage. */
export async function sluiceTaker(url: string, pipelines: readonly AnyPipeline[]): Promise<Taker> {
  const db = openPostgres({ url, connections: 1 });
  const registry = await Registry.register(db, pipelines);
  const servedLanes = registry.lanes().map(({ lane }) => lane);
  const valves = new Valves();
  await valves.refresh(db);
  await enterWorker(db, { name: "bench", host: "here", pid: 1, pidStarted: "1" }, EPOCH, [1]);
  const claimer = new Claimer({
    ...{ db, registry, clock: systemClock, random: systemRandom },
    epoch: () => EPOCH,
    services: { has: () => true },
    isClosed: (lane, pass) => valves.isClosed(lane, pass),
  });
  return {
    async take() {
      const [row] = await claimer.claim(1);
      if (row === undefined) throw new Error("nothing was there to be claimed");
      const pipeline = registry.lanes().find(({ lane }) => lane === row.lane)?.pipelineId ?? null;
      return async () => {
        const { id, version, stage, priority } = row;
        const end = { kind: JOURNAL_KIND.done, ended: ITEM_STATE.done, toStage: null, toLane: null, handOff: false };
        const settlement = { id, version, pipeline, stage, priority, ...end, tookMs: 0, output: "{}", detail: null };
        await settle(db, [settlement], { epoch: EPOCH, servedLanes });
      };
    },
    async close() {
      await leaveWorker(db, EPOCH);
      await db.close();
    },
  };
}
