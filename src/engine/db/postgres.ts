// PostgreSQL through the `pg` driver. Everything that is special about a connection is decided here: how values are
// read, how long a statement may take, and what happens when the server goes away.

import pg from "pg";
import { SluiceError } from "../../kit/index.ts";
import type { ChannelListener, Database, Queryable, Statement, StopListening } from "./database.ts";
import { classifyDatabaseError } from "./errors.ts";

export interface PostgresOptions {
  readonly url: string;
  readonly connections?: number;
  readonly applicationName?: string;
  /** Names statements, so that the server plans each once. Must be off behind a pooler that swaps connections. */
  readonly prepare?: boolean;
  readonly onConnectionLost?: (error: Error) => void;
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;

// int8 stays text: ids above 2^53 would be rounded. Everything else as the driver does it.
const types = {
  getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
    if (oid === INT8) return (value) => value;
    if (oid === TIMESTAMPTZ) return readTimestamp;
    return pg.types.getTypeParser(oid, format as "text") as (value: string) => unknown;
  },
};

/** 'infinity' means "only when something wakes it" and has no Date; it reads as null. */
function readTimestamp(value: string): Date | null {
  return value.endsWith("infinity") ? null : (pg.types.getTypeParser(TIMESTAMPTZ, "text")(value) as Date);
}

// Limits for every session of ours. A statement of the engine takes milliseconds; one that takes longer has met a lock
// or a lost server, and giving up is better than holding a batch. A pooler refuses them when it connects: behind one, only
// the limits on our side hold, and its own configuration has to set the others.
const sessionLimits = {
  statement_timeout: 15_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
  // Our statements have one good plan whatever their arrays hold; planning settle anew each time takes a millisecond.
  // Compiling one took up to a second on analysed tables, for statements that run in milliseconds.
  options: "-c plan_cache_mode=force_generic_plan -c jit=off",
};
const ourLimits = { connectionTimeoutMillis: 10_000, query_timeout: 20_000, keepAlive: true };

export function openPostgres(options: PostgresOptions): Database {
  const prepare = options.prepare ?? true;
  const settings = {
    connectionString: options.url,
    application_name: options.applicationName ?? "sluice",
    types,
    ...ourLimits,
    ...(prepare ? sessionLimits : {}),
  };
  const pool = new pg.Pool({ ...settings, max: options.connections ?? 5, idleTimeoutMillis: 30_000 });
  const lost = options.onConnectionLost ?? (() => {});
  // Without these two listeners a connection that dies while idle ends the whole process.
  pool.on("error", lost);
  pool.on("connect", (client) => client.on("error", lost));
  let isClosed = false;
  const open = () => {
    if (isClosed) throw new SluiceError("CLOSED", "this Sluice was closed");
    return pool;
  };
  // The pool tells only of connections it had. One that cannot be made is the same news, and the only news while the
  // server is down.
  const telling = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (classifyDatabaseError(error) === "lost" && error instanceof Error && !(error instanceof SluiceError))
        lost(error);
      throw error;
    }
  };
  return {
    query: async (statement, values) => await telling(run(open(), statement, values, prepare)),
    transaction: async (work) => await inTransaction(telling(named(open().connect())), work, prepare),
    listen: (channel, listener) => listenOn(settings, channel, listener),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await pool.end();
    },
  };
}

interface Client {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
}

async function run<Row>(
  client: Client,
  statement: Statement,
  values: readonly unknown[],
  prepare: boolean,
): Promise<Row[]> {
  const config: pg.QueryConfig = { text: statement.text, values: values as unknown[] };
  if (prepare) config.name = statement.name;
  const result = await named(client.query(config));
  return result.rows as Row[];
}

/** What the driver finds out by itself, a connection that ended or took too long, has no code, as a bug of ours has none. */
async function named<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof Error && !("code" in error) ? Object.assign(error, { code: "CONNECTION_LOST" }) : error;
  }
}

async function inTransaction<T>(
  connecting: Promise<pg.PoolClient>,
  work: (tx: Queryable) => Promise<T>,
  prepare: boolean,
): Promise<T> {
  const client = await connecting;
  let broken: Error | undefined;
  try {
    await named(client.query("begin"));
    const result = await work({ query: (statement, values) => run(client, statement, values, prepare) });
    await named(client.query("commit"));
    return result;
  } catch (error) {
    await client.query("rollback").catch((failed: Error) => {
      broken = failed;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** A connection of its own: behind a pooler nothing would arrive, and a pooled one would be handed to somebody else. */
async function listenOn(settings: pg.ClientConfig, channel: string, listener: ChannelListener): Promise<StopListening> {
  const client = new pg.Client({ ...settings, idle_in_transaction_session_timeout: 0 });
  let isOver = false;
  let isListening = false;
  const lost = () => {
    if (isOver || !isListening) return;
    isOver = true;
    listener.lost();
  };
  client.on("error", lost);
  client.on("end", lost);
  client.on("notification", ({ payload }) => listener.wake(payload ?? ""));
  try {
    await client.connect();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    isListening = true;
  } catch (error) {
    // Told by the rejection alone. Told to the listener as well, it would be tried again twice, and each of those twice.
    isOver = true;
    void client.end().catch(() => undefined);
    throw error;
  }
  return async () => {
    if (isOver) return;
    isOver = true;
    await client.end();
  };
}
