// How processes tell each other that something moved.

import type { Statement } from "../db/database.ts";

export const CHANNEL = "sluice_moved";

/** PostgreSQL takes less than this of a letter, in bytes. */
export const LETTER_BYTES = 8_000;

/** SQL: tells all processes; one of them reads the letter, if there is one. */
export const tell = (letter = "''") => `pg_notify('${CHANNEL}', ${letter})`;

export const NOTIFY: Statement = { name: "notify", text: `select ${tell()}` };

/** SQL: a column for a statement that may have to tell others itself, with its commit. */
export const tellIf = (asked: string) => `(select ${tell()} where ${asked}::boolean)`;
