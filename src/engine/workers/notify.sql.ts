// How processes tell each other that something moved.

import type { Statement } from "../db/database.ts";

export const CHANNEL = "sluice_moved";

const tell = `pg_notify('${CHANNEL}', '')`;

export const NOTIFY: Statement = { name: "notify", text: `select ${tell}` };

/** SQL: a column for a statement that may have to tell others itself, with its commit. */
export const tellIf = (asked: string) => `(select ${tell} where ${asked}::boolean)`;
