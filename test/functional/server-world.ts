// On a real server, in real time: stages use delays of some milliseconds, and cases wait for what they are about.

import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { vi } from "vitest";
import { type AnyPipeline, type OpenOptions, openSluice, type Sluice } from "../../src/engine/index.ts";
import { type Brought, type ServerWorld, together } from "./world.ts";

/** What a kind of server brings; the rest is the same for all. */
export interface ServerSite {
  /** Of this database, as a Sluice opens it. */
  address(database: string): Pick<OpenOptions, "database" | "pooled">;
  /** Of this database, past whatever stands in front of the server. */
  directUrl(database: string): string;
  stop(): Promise<void>;
}

const PATIENCE = { timeout: 30_000, interval: 20 };
const worker = { poll: 20, grace: 0 } as const;

export function serverWorld(start: () => Promise<ServerSite>): ServerWorld {
  const pipelines: AnyPipeline[] = [];
  const brought: Brought[] = [];
  let site: ServerSite;
  let sluice: Sluice;
  let pool: pg.Pool;
  let made = 0;

  async function freshDatabase(kind: "empty" | "migrated") {
    made += 1;
    const name = `world_${made}`;
    const admin = new pg.Client(site.directUrl("postgres"));
    await admin.connect();
    await admin.query(`create database ${name} template ${kind === "empty" ? "template0" : "migrated"}`);
    await admin.end();
    return { name, address: site.address(name) };
  }

  const open = () => openSluice({ pipelines, ...together(brought), worker, ...site.address("world_1") });

  return {
    get sluice() {
      return sluice;
    },
    use: (...given) => void pipelines.push(...given),
    bring: (given) => void brought.push(given),
    finished: (handle) => handle.result({ signal: AbortSignal.timeout(PATIENCE.timeout) }),
    until: (condition) =>
      vi.waitFor(async () => {
        if (!(await condition())) throw new Error("waited in vain");
      }, PATIENCE),
    async chores() {
      await pool.query("update sluice.duty set due_at = sluice.now() where name not like 'watch:%'");
      // Whoever starts looks at once what is due, and ends it before it closes.
      const other = await open();
      await vi.waitFor(async () => {
        const { rows } = await pool.query(
          "select from sluice.duty where due_at <= sluice.now() and name not like 'watch:%'",
        );
        if (rows.length > 0) throw new Error("something is due still");
      }, PATIENCE);
      await other.close();
    },
    rows: async (text, values = []) => (await pool.query(text, values)).rows,
    async inClient(work) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const result = await work(client);
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    },
    // Not destroyed: that would end the pool.
    inKysely: (work) => new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }).transaction().execute(work),
    another: (options) => openSluice({ worker, ...options, ...site.address("world_1") }),
    freshDatabase: async (kind) => (await freshDatabase(kind)).address,
    async open() {
      site = await start();
      const admin = new pg.Client(site.directUrl("postgres"));
      await admin.connect();
      await admin.query("create database migrated template template0");
      await admin.end();
      const once = await openSluice({
        pipelines: [],
        worker: false,
        ...site.address("migrated"),
        pooled: false,
        database: site.directUrl("migrated"),
      });
      await once.close();
      const { name } = await freshDatabase("migrated");
      pool = new pg.Pool({ connectionString: site.directUrl(name), max: 20 });
      // The server may stop before the last of them has said goodbye.
      pool.on("error", () => undefined);
      pool.on("connect", (client) => client.on("error", () => undefined));
      sluice = await open();
    },
    async close() {
      await sluice.close();
      await pool.end();
      await site.stop();
    },
  };
}
