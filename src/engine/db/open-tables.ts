// The database alone, without an engine on it: for a stage that runs in a child process, and keeps something in tables of its own.

import { type Logger, silentLogger } from "../../kit/index.ts";
import type { Tables } from "../sluice.ts";
import { openDatabase } from "./open-database.ts";

export interface OpenTablesOptions {
  /** As `openSluice` takes it. */
  readonly database: string;
  readonly pooled?: boolean;
  readonly log?: Logger;
}

/** Few are enough for one visit after the other. */
const CONNECTIONS = 2;

export async function openTables({ database, pooled = false, log = silentLogger }: OpenTablesOptions): Promise<{
  readonly tables: Tables;
  close(): Promise<void>;
}> {
  const { db, close } = await openDatabase({ database, pooled, log, connections: CONNECTIONS });
  return { tables: db, close };
}
