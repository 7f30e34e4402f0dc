// Reads what claimed items bring along, for those that bring anything.

import type { Queryable } from "../db/database.ts";
import { RUN_FLAG } from "../items/codes.ts";
import { readCheckpoints, readChildren, readContext } from "../items/context.sql.ts";
import { type Held, joinedRequest, unpack } from "./held.ts";

export async function bringContext(db: Queryable, claimed: readonly Held[]): Promise<void> {
  const laden = claimed.filter((held) => held.row.flags !== 0);
  if (laden.length === 0) return;
  const context = await readContext(
    db,
    laden.map((held) => held.row.id),
  );
  const saved = laden.filter((held) => (held.row.flags & RUN_FLAG.hasCheckpoint) !== 0).map((held) => held.row.id);
  const checkpoints = saved.length > 0 ? await readCheckpoints(db, saved) : [];
  const joined = context.map((row) => joinedRequest(row.output)).filter((request) => request !== undefined);
  const children = joined.length > 0 ? await readChildren(db, joined) : [];
  for (const held of laden) unpack(held, { context, checkpoints, children });
}
