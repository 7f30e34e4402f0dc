// One connection, not a pool: for a caller to whom it matters which server process answers it. Opened when first asked
// for, given up at the first sign of trouble, and opened anew by the next question.

import pg from "pg";
import { backendPid } from "./backend-pid.sql.ts";
import type { Queryable } from "./database.ts";
import { classifyDatabaseError } from "./errors.ts";

export interface LoneOptions {
  readonly url: string;
  readonly applicationName: string;
  /** For connecting and for each statement. */
  readonly timeoutMs: number;
  /** False behind a pooler: it takes no session settings, and the server process behind it changes. */
  readonly direct: boolean;
  /** The connection, or an attempt at one, failed. */
  onLost(error: unknown): void;
}

export interface LoneConnection extends Queryable {
  /** Asked once per connection; null where it would mean nothing. */
  backendPid(): Promise<number | null>;
  close(): Promise<void>;
}

interface Session extends Queryable {
  readonly client: pg.Client;
  pid?: number | null;
}

export function openLone(options: LoneOptions): LoneConnection {
  let opening: Promise<Session> | undefined;

  function lose(lost: Promise<Session>, error: unknown): void {
    if (opening !== lost) return;
    opening = undefined;
    options.onLost(error);
  }

  function session(): Promise<Session> {
    if (opening !== undefined) return opening;
    const mine = connect(options, (error) => lose(mine, error));
    opening = mine;
    mine.catch((error: unknown) => lose(mine, error));
    return mine;
  }

  async function ask<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const asked = session();
    const given = await asked;
    try {
      return await work(given);
    } catch (error) {
      if (classifyDatabaseError(error) === "lost") {
        lose(asked, error);
        // It may be waiting for an answer that never comes; then this cuts it off.
        void given.client.end().catch(() => undefined);
      }
      throw error;
    }
  }

  return {
    query: (statement, values) => ask((given) => given.query(statement, values)),
    async backendPid() {
      if (!options.direct) return null;
      return await ask(async (given) => {
        given.pid ??= await backendPid(given);
        return given.pid;
      });
    },
    async close() {
      const last = opening;
      opening = undefined;
      const left = await last?.catch(() => undefined);
      await left?.client.end();
    },
  };
}

async function connect(options: LoneOptions, lost: (error: unknown) => void): Promise<Session> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.timeoutMs,
    query_timeout: options.timeoutMs,
    keepAlive: true,
    ...(options.direct ? { statement_timeout: options.timeoutMs } : {}),
  });
  // Without a listener a connection that dies while idle ends the whole process.
  client.on("error", lost);
  client.on("end", () => lost(new Error("the connection was closed")));
  await client.connect();
  return {
    client,
    async query<Row>(statement: { readonly text: string }, values: readonly unknown[]): Promise<Row[]> {
      // Unnamed: a name would have to be prepared anew on every connection, for one statement every two seconds.
      const result = await client.query({ text: statement.text, values: [...values] });
      return result.rows as Row[];
    },
  };
}
