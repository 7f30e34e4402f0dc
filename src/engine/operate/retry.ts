// A failed item begins a new series where it failed, in a transaction of the caller's.

import type { Queryable } from "../db/database.ts";
import { JOURNAL_KIND } from "../items/codes.ts";
import { readFacts } from "./facts.sql.ts";
import { plan } from "./plan.ts";
import { reopenItems } from "./reopen.sql.ts";
import { reopeningOf } from "./write.ts";

/** False when the item is not failed (any more). Throws KEY_TAKEN as `reopenItems` does. */
export async function retryItem(tx: Queryable, item: string, actor: string): Promise<boolean> {
  const [facts] = await readFacts(tx, [item]);
  if (facts === undefined) return false;
  // Whose key it is, the write finds out for certain.
  const planned = plan({ type: "retry" }, { ...facts, key_taken: false }, new Map());
  if ("refusal" in planned || planned.change.type !== "reopen") return false;
  const words = { kind: JOURNAL_KIND.retried, action: "retry", actor, output: null };
  return (await reopenItems(tx, [reopeningOf(facts, planned.change)], words)).length > 0;
}
