// Every table of the server's own, in a schema of its own beside the engine's.

import { prepareTables, type TableMigration, type Tables } from "../engine/index.ts";
import { ACCESS_TABLES, SESSION_TABLES } from "./access/tables.sql.ts";
import { ALERT_TABLES, DISK_TABLES } from "./alerts/tables.sql.ts";
import { DUTY_TABLES } from "./duty/tables.sql.ts";
import { IDEMPOTENCY_TABLES, IDEMPOTENCY_TERMS } from "./idempotency/tables.sql.ts";
import { SECRET_TABLES } from "./secrets/tables.sql.ts";
import { SETTING_TABLES } from "./settings/tables.sql.ts";

const MIGRATIONS: readonly TableMigration[] = [
  ACCESS_TABLES,
  DUTY_TABLES,
  SETTING_TABLES,
  IDEMPOTENCY_TABLES,
  SECRET_TABLES,
  ALERT_TABLES,
  SESSION_TABLES,
  DISK_TABLES,
  IDEMPOTENCY_TERMS,
];

export async function prepareServerTables(tables: Tables): Promise<void> {
  await prepareTables(tables, "sluice_server", MIGRATIONS);
}
