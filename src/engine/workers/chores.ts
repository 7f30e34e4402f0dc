// What one process does for all, in turn, once a minute or less. Each may be done twice, and does a limited amount at a time.

import type { Logger } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { ensurePartitions } from "../events/partition.sql.ts";
import { expireKeys } from "../intake/unique-key.sql.ts";
import { forgetIntents } from "../items/intent.sql.ts";
import { runRetention } from "../retention/run.ts";
import type { Registry } from "./registry.ts";
import { selfCheck } from "./self-check.ts";
import { sizesOf, tally } from "./tally.ts";

export interface ChorePorts {
  readonly db: Database;
  readonly log: Logger;
  readonly registry: Registry;
}

interface Chore {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (ports: ChorePorts) => Promise<unknown>;
}

export const CHORES: readonly Chore[] = [
  { name: "forget-intents", everyMs: 3_600_000, work: ({ db }) => forgetIntents(db) },
  { name: "partitions", everyMs: 3_600_000, work: ({ db }) => ensurePartitions(db) },
  { name: "expire-keys", everyMs: 60_000, work: ({ db }) => expireKeys(db) },
  // How old figures and estimates may be.
  { name: "tally", everyMs: 20_000, work: ({ db, registry }) => tally(db, sizesOf(registry)) },
  // As often as the windows it looks at move on.
  { name: "self-check", everyMs: 600_000, work: ({ db, log }) => selfCheck(db, log) },
  // After the partitions: it may take seconds, and they must not wait for it.
  { name: "retention", everyMs: 60_000, work: ({ db }) => runRetention(db) },
];
