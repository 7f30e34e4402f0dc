// Who of several servers does what only one may do.

import type { TableMigration } from "../../engine/index.ts";

export const DUTY_TABLES: TableMigration = {
  name: "0002-duty",
  up: `
create table sluice_server.duty (
  name text primary key,
  holder text not null,
  until timestamptz not null);
`,
};
