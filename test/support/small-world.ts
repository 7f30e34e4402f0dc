// The engine's statements played by hand, without loops: items are submitted, claimed and settled one step at a time, so
// that a test can stop anywhere in between.

import type { Database } from "../../src/engine/db/database.ts";
import type { StageLookup } from "../../src/engine/explain/state.ts";
import { insertRequests, type NewItem } from "../../src/engine/intake/submit.sql.ts";
import { type ClaimPlace, claim } from "../../src/engine/items/claim.sql.ts";
import { decide } from "../../src/engine/items/decide.ts";
import { settle } from "../../src/engine/items/settle.sql.ts";
import type { VisitResult } from "../../src/engine/items/standing.ts";
import type { AnyPipeline } from "../../src/engine/pipeline/pipeline.ts";
import { writerOf } from "../../src/engine/workers/beside.ts";
import { type Held, hold } from "../../src/engine/workers/held.ts";
import { type Place, Registry } from "../../src/engine/workers/registry.ts";
import { toSettlement } from "../../src/engine/workers/settlement.ts";
import { enterWorker } from "../../src/engine/workers/worker-row.sql.ts";
import { formatId, type ItemId, type RequestId, seededRandom } from "../../src/kit/index.ts";

export interface Submitted {
  readonly request: RequestId;
  readonly items: readonly ItemId[];
  /** As the database has them. */
  readonly ids: readonly string[];
}

export interface SubmitOptions {
  readonly delayMs?: number;
  readonly priority?: number;
  readonly owner?: string;
  readonly fairness?: string;
}

export interface SmallWorld {
  readonly db: Database;
  readonly registry: Registry;
  readonly stagesOf: StageLookup;
  submit(pipeline: AnyPipeline, count?: number, options?: SubmitOptions): Promise<Submitted>;
  worker(epoch: string, pipelines?: readonly AnyPipeline[], services?: readonly string[]): Promise<void>;
  /** Claims everything that is due in the lanes of these pipelines. */
  claim(epoch: string, limit?: number, pipelines?: readonly AnyPipeline[]): Promise<Held[]>;
  /** False when it was refused. */
  settle(held: Held, epoch: string, result: VisitResult, handOff?: boolean): Promise<boolean>;
}

export async function smallWorld(db: Database, pipelines: readonly AnyPipeline[]): Promise<SmallWorld> {
  const registry = await Registry.register(db, pipelines);
  const random = seededRandom(1);
  const placesOf = (pipeline: AnyPipeline): readonly Place[] => {
    const places = registry.placesOf(pipeline);
    if (places === undefined) throw new Error(`unknown pipeline ${pipeline.name}`);
    return places;
  };
  return {
    db,
    registry,
    stagesOf: (pipeline) => registry.placesOf(pipeline)?.map((place) => place.stage),
    async submit(pipeline, count = 1, options = {}) {
      const { delayMs = 0, priority = 3, owner = null, fairness = null } = options;
      const first = placesOf(pipeline)[0] as Place;
      const item = (index: number): NewItem => ({
        request: 1,
        pipeline: first.pipelineId,
        lane: first.lane,
        nonce: String(random.token()),
        priority,
        delayMs,
        owner,
        fairness,
        key: null,
        input: JSON.stringify({ n: index }),
      });
      const rows = await insertRequests(
        db,
        [{ total: count, key: null, owner, parent: null }],
        Array.from({ length: count }, (_, index) => item(index)),
      );
      return {
        request: formatId("request", rows[0]?.request_id ?? "0"),
        items: rows.map((row) => formatId("item", row.id)),
        ids: rows.map((row) => row.id),
      };
    },
    async worker(epoch, having = pipelines, services = []) {
      const who = { name: `worker-${epoch}`, host: "here", pid: Number(epoch), pidStarted: "1" };
      const ids = having.map((pipeline) => placesOf(pipeline)[0]?.pipelineId ?? 0);
      await enterWorker(db, who, epoch, ids, services);
    },
    async claim(epoch, limit = 100, having = pipelines) {
      const places = having.flatMap(placesOf);
      const asked: ClaimPlace[] = [1, 2, 3, 4, 5].flatMap((priority) =>
        places.map(({ lane }) => ({ lane, priority, floor: 0 })),
      );
      const rows = await claim(db, asked, limit, epoch);
      return rows.map((row) => hold(row, registry.place(row.lane, row.stage) as Place, 0));
    },
    async settle(held, epoch, result, handOff = false) {
      const transition = decide(held.place.pipeline, { ...held, stage: held.place.index }, result, 0);
      const target = "end" in transition.to ? undefined : registry.place(held.place.lane, transition.to.stage);
      const settlement = toSettlement(held, transition, { tookMs: 5, toLane: target?.lane ?? null, handOff });
      const beside = writerOf(held, transition.beside, { registry, random });
      return await db.transaction(async (tx) => {
        const rows = await settle(tx, [settlement], { epoch, servedLanes: [] });
        if (rows.length === 1 && beside !== null) await beside(tx);
        return rows.length === 1;
      });
    },
  };
}
