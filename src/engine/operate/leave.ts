// An owner cancels a request: where others asked for it too, only that owner leaves, and the work goes on for them.

import type { Database } from "../db/database.ts";
import { leaveShared, lockShared } from "./leave.sql.ts";

/** "last" is for the caller to cancel; a sentence says why it is neither. */
export type Leaving = "left" | "last" | { readonly refusal: string };

export async function leaveRequest(
  db: Pick<Database, "transaction">,
  request: string,
  owner: string,
  { actor, dryRun }: { readonly actor: string; readonly dryRun: boolean },
): Promise<Leaving> {
  return await db.transaction(async (tx): Promise<Leaving> => {
    const shared = await lockShared(tx, request, owner);
    if (!shared?.is_owner) return { refusal: "there is no such request of theirs" };
    if (!shared.is_open) return { refusal: "nothing of it is alive" };
    if (!shared.has_others) return "last";
    if (!dryRun) await leaveShared(tx, request, owner, actor);
    return "left";
  });
}
