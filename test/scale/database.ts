// A large engine database, filled by the server itself.

import pg from "pg";
import { z } from "zod";
import type { Database, Queryable, Statement } from "../../src/engine/db/database.ts";
import { setValve } from "../../src/engine/operate/valve.sql.ts";
import { done } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type Place, Registry } from "../../src/engine/workers/registry.ts";
import { enterWorker } from "../../src/engine/workers/worker-row.sql.ts";
import { createMigrated } from "../interleavings/arena.ts";
import { startServer, type TestServer } from "../support/server.ts";

export const EPOCH = "7001";

export interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  /** Of each loop. */
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

export interface BigDatabase {
  readonly client: pg.Client;
  readonly db: Queryable;
  /** Runs statements under EXPLAIN and keeps their plans. They do their work, and answer with no rows. */
  readonly explaining: Database & { readonly plans: Plan[] };
  /** The lane of rows that can be claimed, and one behind a closed valve. */
  readonly lanes: readonly [open: number, closed: number];
  readonly places: readonly Place[];
  readonly pipeline: number;
  close(): Promise<void>;
}

/** No autovacuum: statistics and dead rows are what the test makes them. */
const SETTINGS = {
  autovacuum: "off",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "8GB",
  shared_buffers: "1GB",
  maintenance_work_mem: "512MB",
};

export async function startBigServer(): Promise<TestServer> {
  return await startServer(SETTINGS);
}

export async function openBig(server: TestServer, name: string): Promise<BigDatabase> {
  await createMigrated(server, name);
  const client = new pg.Client(server.url(name));
  await client.connect();
  const db: Queryable = {
    query: async <Row>({ text }: Statement, values: readonly unknown[]) =>
      (await client.query({ text, values: [...values] })).rows as Row[],
  };
  const pipeline = definePipeline("big", { version: 1, input: z.object({}) })
    .stage("open", { run: () => done() })
    .stage("closed", { run: () => done() });
  const places = (await Registry.register(db, [pipeline])).placesOf(pipeline);
  const [open, closed] = places ?? [];
  if (places === undefined || open === undefined || closed === undefined) throw new Error("a pipeline has its stages");
  await setValve(db, { kind: "pause", scope: { stage: "closed" }, closed: true, note: null, actor: "test" });
  await enterWorker(db, { name: "big", host: "here", pid: 1, pidStarted: "1" }, EPOCH, [open.pipelineId]);
  return {
    client,
    db,
    explaining: explain(client),
    places,
    lanes: [open.lane, closed.lane],
    pipeline: open.pipelineId,
    close: () => client.end(),
  };
}

function explain(client: pg.Client): BigDatabase["explaining"] {
  const plans: Plan[] = [];
  return {
    plans,
    async query<Row>({ text }: Statement, values: readonly unknown[]): Promise<Row[]> {
      const explained = await client.query({
        text: `explain (analyze, buffers, timing off, format json) ${text}`,
        values: [...values],
      });
      plans.push(explained.rows[0]["QUERY PLAN"][0].Plan as Plan);
      return [];
    },
    transaction: () => Promise.reject(new Error("one statement at a time")),
    listen: () => Promise.reject(new Error("nobody listens here")),
    close: async () => undefined,
  };
}

export interface Rows {
  readonly count: number;
  readonly lane: number;
  /** SQL, from the row's number n. */
  readonly readyAt: string;
  readonly perRequest?: number;
  readonly state?: 0 | 1;
  /** SQL, from n: whose turn it takes. */
  readonly fair?: string;
}

/** Items with their run rows, requests and first journal rows, as submitting them would leave them. */
export async function load(big: BigDatabase, rows: Rows): Promise<void> {
  const { count, lane, readyAt, perRequest = 100, state = 0, fair = "null" } = rows;
  const [from] = (await big.client.query("select coalesce(max(id), 0)::int as id from sluice.item")).rows;
  const first = from.id as number;
  const id = `${first} + n`;
  const request = `(${first} + n) / ${perRequest} + 1`;
  const series = `generate_series(1, ${count}) n`;
  await big.client.query(`
    insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, input)
    select ${id}, ${request}, n, sluice.now(), ${big.pipeline}, 3, 1, '{}' from ${series}`);
  await big.client.query(`
    insert into sluice.run (id, request_id, epoch, ready_at, since, version, lane, stage, priority, state, fair)
    select ${id}, ${request}, ${state === 1 ? EPOCH : "null"}, ${readyAt}, sluice.now(), 1, ${lane}, 0, 3, ${state}, ${fair} from ${series}`);
  await big.client.query(`
    insert into sluice.request (id, total, created_at)
    select ${request}, count(*), sluice.now() from ${series} group by 1
    on conflict (id) do update set total = request.total + excluded.total`);
  await big.client.query("select setval('sluice.item_ids', (select max(id) from sluice.item))");
  await big.client.query("select setval('sluice.request_ids', (select max(id) from sluice.request))");
}

/** Pages looked at by a plan, in memory or not. */
export function buffersOf(plan: Plan): number {
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

export function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner);
}
