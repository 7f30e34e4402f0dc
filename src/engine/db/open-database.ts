// From what the caller named to a database that is migrated and fit for use.

import { InputError, type Logger, safeText } from "../../kit/index.ts";
import type { Database } from "./database.ts";
import { openEmbedded } from "./embedded/index.ts";
import { openPostgres } from "./postgres.ts";
import { schemaState } from "./schema-state.sql.ts";
import { isCurrent } from "./schema-state.ts";
import { serverFacts } from "./server-check.sql.ts";
import { checkServer } from "./server-check.ts";

export interface DatabaseOptions {
  /** `postgres://…`, or a folder where Sluice keeps a PostgreSQL of its own. */
  readonly database: string;
  /** Set when the URL leads through a pooler in transaction mode: no named statements, no LISTEN, no fast death notice. */
  readonly pooled?: boolean;
  /** Of the pool, at most. Default 5. */
  readonly connections?: number | undefined;
  /** By which the server knows our connections. */
  readonly applicationName?: string;
  /** Accepts a server that may forget acknowledged work. */
  readonly allowDataLoss?: boolean;
  readonly log: Logger;
}

export interface OpenedDatabase {
  readonly db: Database;
  /** For connections beside the pool, such as the beat's. */
  readonly url: string;
  close(): Promise<void>;
}

export async function openDatabase(options: DatabaseOptions): Promise<OpenedDatabase> {
  const { log, pooled = false } = options;
  if (typeof options.database !== "string")
    throw new InputError("database", "database must be text: postgres://… or a folder");
  const isUrl = /^postgres(ql)?:\/\//.test(options.database);
  if (!isUrl && /^[a-z]+:\/\//.test(options.database)) {
    throw new InputError(
      "database",
      `database is postgres://… or a folder, got a URL of another kind: ${options.database.split(":")[0]}://…`,
    );
  }
  const embedded = isUrl
    ? undefined
    : await openEmbedded({ folder: options.database, log: (line) => log.info("database", { msg: line }) });
  const url = embedded?.url ?? options.database;
  let db: Database | undefined;
  try {
    let reviving = false;
    let closing = false;
    db = openPostgres({
      url,
      prepare: !pooled,
      ...(options.connections === undefined ? {} : { connections: options.connections }),
      ...(options.applicationName === undefined ? {} : { applicationName: options.applicationName }),
      onConnectionLost(error) {
        log.warn("database.connection-lost", { error: safeText(error, 300) });
        if (embedded === undefined || reviving || closing) return;
        // Our own server may have been killed; nobody else would start it again.
        reviving = true;
        embedded
          .revive()
          .catch((failure: unknown) => log.error("database.down", { error: safeText(failure, 300) }))
          .finally(() => {
            reviving = false;
          });
      },
    });
    // Before the migration: a server that is refused is left as it was, and one that is too old would not understand it.
    checkServer(await serverFacts(db), options.allowDataLoss ?? false);
    // Nearly always there is nothing to do, and no reason to queue for the lock with everybody else who starts, or to
    // load what migrates: a worker that is started again is waited for.
    if (!isCurrent(await schemaState(db))) await (await import("./migrate-at.ts")).migrateAt(url);
    const opened = db;
    const close = async () => {
      closing = true;
      await opened.close();
      await embedded?.leave();
    };
    return { db, url, close };
  } catch (error) {
    await db?.close();
    await embedded?.leave();
    throw error;
  }
}
