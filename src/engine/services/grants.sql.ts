// Taking from a service's rate, over all workers: the row is locked, so that two cannot both take the last one.

import type { Database, Queryable, Statement } from "../db/database.ts";
import { type Grant, grant, type RateLimit, waitMs } from "./rate.ts";
import { type ServiceRow, serviceColumns } from "./service.sql.ts";

const LOCK: Statement = {
  name: "lock-service",
  text: `select ${serviceColumns} from sluice.service s where s.name = $1 for no key update`,
};

// Never waits: whoever has the lock is claiming for this service right now.
const LOCK_FREE: Statement = {
  name: "lock-free-service",
  text: `select ${serviceColumns} from sluice.service s where s.name = $1 for no key update skip locked`,
};

/** Undefined when somebody else has it. */
export async function lockService(tx: Queryable, name: string): Promise<ServiceRow | undefined> {
  const [row] = await tx.query<ServiceRow>(LOCK_FREE, [name]);
  return row;
}

const SAVE: Statement = {
  name: "save-grants",
  text: `update sluice.service set grants = $2::text::jsonb where name = $1`,
};

export async function saveGrants(tx: Queryable, name: string, grants: readonly Grant[]): Promise<void> {
  await tx.query(SAVE, [name, JSON.stringify(grants)]);
}

export function limitOf(row: Pick<ServiceRow, "limit_count" | "limit_ms">): RateLimit | null {
  const { limit_count: count, limit_ms: perMs } = row;
  return count === null || perMs === null ? null : { count, perMs };
}

export interface Taken {
  readonly count: number;
  /** For those who got none, in their order: how long until there is one, as it looks now. */
  waitMs(nth: number): number;
}

export async function takeRate(db: Database, name: string, wanted: number): Promise<Taken> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.query<ServiceRow>(LOCK, [name]);
    const limit = row === undefined ? null : limitOf(row);
    if (row === undefined || limit === null) return { count: wanted, waitMs: () => 0 };
    const granted = grant(row.grants, limit, row.now, wanted);
    if (granted.count > 0) await saveGrants(tx, name, granted.grants);
    return { count: granted.count, waitMs: (nth) => waitMs(granted.grants, limit, row.now, nth) };
  });
}
