// The database a scenario runs in, its connections, and the one that watches them.

import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Database, Queryable, Statement } from "../../src/engine/db/database.ts";
import { migrate } from "../../src/engine/db/migrate.ts";
import type { TestServer } from "../support/server.ts";
import { type Dictionary, fillDictionary } from "./dictionary.ts";
import { KeptPlans, PLANS_ARE_KEPT } from "./kept-plans.ts";
import { SteppedSession } from "./stepped-session.ts";

/**
 * Commits need not survive here, and a deadlock should show at once. Nothing may take a lock by itself (vacuum does, when it
 * gives pages back), or an interleaving could not be repeated.
 */
export const ARENA_SERVER = {
  autovacuum: "off",
  jit: "off",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  deadlock_timeout: "30ms",
  shared_buffers: "64MB",
  max_connections: "60",
};

const INT8 = 20;
const XID8 = 5069;
const types = {
  getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
    if (oid === INT8 || oid === XID8) return (value) => value;
    return pg.types.getTypeParser(oid, format as "text") as (value: string) => unknown;
  },
};

const VACUUM_EVERY = 100;

/** Whatever there is, but for the dictionary: a table that is left as it was makes the next run another one. */
const TO_EMPTY = `
select format('delete from sluice.%I', c.relname) as statement
from pg_class c
where c.relnamespace = 'sluice'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname not in ('migration', 'migration_lock', 'pipeline', 'lane', 'valve_clock', 'setting')`;
const TO_RESET = ["update sluice.valve_clock set generation = 0", "delete from sluice.setting where name <> 'schema'"];

export class Arena implements Queryable {
  readonly #settings: pg.ClientConfig;
  readonly #client: pg.Client;
  readonly #empty: string;
  readonly #plans = new KeptPlans();
  #sessions = new Map<string, SteppedSession>();
  #resets = 0;
  readonly server: Pick<TestServer, "url">;
  readonly dictionary: Dictionary;
  /** Called with every statement that goes through here. */
  onStatement: (statement: Statement) => void = () => undefined;

  private constructor(
    server: Pick<TestServer, "url">,
    settings: pg.ClientConfig,
    client: pg.Client,
    empty: string,
    dictionary: Dictionary,
  ) {
    this.server = server;
    this.#settings = settings;
    this.#client = client;
    this.#empty = empty;
    this.dictionary = dictionary;
  }

  static async open(server: Pick<TestServer, "url">, name: string): Promise<Arena> {
    await createMigrated(server, name);
    const settings = {
      connectionString: server.url(name),
      types,
      application_name: "sluice arena",
      options: PLANS_ARE_KEPT,
    };
    const client = new pg.Client(settings);
    client.on("error", () => undefined);
    await client.connect();
    const plain: Queryable = {
      query: async <Row>({ text }: Statement, values: readonly unknown[]) =>
        (await client.query({ text, values: [...values] })).rows as Row[],
    };
    const { rows } = await client.query<{ statement: string }>(TO_EMPTY);
    const empty = [...rows.map((row) => row.statement), ...TO_RESET].join("; ");
    return new Arena(server, settings, client, empty, await fillDictionary(plain));
  }

  /** A statement of the engine, at once: for what comes before and after the race. */
  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.onStatement(statement);
    return await this.#ask(statement.text, values);
  }

  /** The same as a whole database. */
  get db(): Database {
    return {
      query: (statement, values) => this.query(statement, values),
      transaction: async (work) => {
        await this.#client.query("begin");
        try {
          const result = await work(this);
          await this.#client.query("commit");
          return result;
        } catch (error) {
          await this.#client.query("rollback");
          throw error;
        }
      },
      listen: () => Promise.reject(new Error("nobody listens here")),
      close: () => this.close(),
    };
  }

  /** Plain SQL, for a look from outside. */
  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(text, values)).rows;
  }

  /** A question that is asked after every interleaving, or more often. */
  async look<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return await this.#ask(text, values);
  }

  /** How this connection is to come to its rows, until it is said again; without anything, as the server thinks best. */
  async plansBy(settings = ""): Promise<void> {
    await this.#client.query(`reset all; ${settings}`);
    this.#plans.areGiven = settings !== "";
  }

  async #ask<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#client.query(this.#plans.of(text, values))).rows as Row[];
  }

  async reset(): Promise<void> {
    await this.#client.query(this.#empty);
    this.#resets += 1;
    // Rows of hundreds of former runs would make every look at the tables slower.
    if (this.#resets % VACUUM_EVERY === 0) await this.#client.query("vacuum");
  }

  async sessions(names: readonly string[]): Promise<SteppedSession[]> {
    for (const name of names) {
      if (!this.#sessions.has(name)) this.#sessions.set(name, await this.#openSession(name));
    }
    return names.map((name) => this.#sessions.get(name) as SteppedSession);
  }

  async #openSession(name: string): Promise<SteppedSession> {
    return await SteppedSession.open(name, this.#settings, (statement) => this.onStatement(statement));
  }

  /** Returns when every session asks, has ended, or waits for a lock. */
  async atRest(sessions: readonly SteppedSession[]): Promise<void> {
    for (;;) {
      const sent = sessions.filter((session) => session.state === "sent");
      if (sent.length === 0) return;
      // Most are back before the server could have said that they wait.
      await Promise.race([firstBack(sent), sleep(1)]);
      if (sent.some((session) => session.state !== "sent")) continue;
      const waiting = await this.#waiting(sent);
      // Only an answer about exactly those who are still under way counts: one that ended meanwhile may have let others go on.
      if (sent.every((session) => session.state === "sent" && waiting.has(session.pid))) return;
    }
  }

  /** Returns when one of those that wait has come back. */
  async untilChanged(sessions: readonly SteppedSession[]): Promise<void> {
    await firstBack(sessions.filter((session) => session.state === "sent"));
    await this.atRest(sessions);
  }

  async #waiting(sessions: readonly SteppedSession[]): Promise<Set<number>> {
    const rows = await this.look<{ pid: number }>(
      "select pid from unnest($1::int[]) pid where cardinality(pg_blocking_pids(pid)) > 0",
      [sessions.map((session) => session.pid)],
    );
    return new Set(rows.map((row) => row.pid));
  }

  /** After a failure nobody knows what the sessions still hold: they are ended, and the next run gets new ones. */
  async abandon(): Promise<void> {
    const left = [...this.#sessions.values()];
    this.#sessions = new Map();
    await this.rows("select pg_terminate_backend(pid) from unnest($1::int[]) pid", [left.map((one) => one.pid)]);
    await this.#client.query("rollback");
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await session.close();
    await this.#client.end();
  }
}

async function firstBack(sent: readonly SteppedSession[]): Promise<void> {
  await Promise.race(sent.map((session) => session.back));
}

export async function createMigrated(server: Pick<TestServer, "url">, name: string): Promise<void> {
  await createEmpty(server, name);
  const pool = new pg.Pool({ connectionString: server.url(name), max: 1 });
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await migrate(kysely);
  await kysely.destroy();
}

export async function createEmpty(server: Pick<TestServer, "url">, name: string): Promise<void> {
  const client = new pg.Client(server.url());
  await client.connect();
  try {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}
