// What a pipeline's own code says of items that are about to live again, in the transaction in which they do: what it looked at
// before that may have changed since.

import { formatId, type ItemId, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { ReopenCheck } from "../pipeline/pipeline.ts";
import type { Registry } from "../workers/registry.ts";
import type { ItemFacts } from "./facts.sql.ts";
import type { Change } from "./plan.ts";
import { lockItems } from "./reopen.sql.ts";

interface Reopened {
  readonly facts: ItemFacts;
  readonly change: Extract<Change, { type: "reopen" }>;
}

/** Which of them stay as they ended, and why. */
export async function askReopening(
  tx: Queryable,
  registry: Pick<Registry, "pipelineOf">,
  reopened: readonly Reopened[],
): Promise<ReadonlyMap<string, string>> {
  const asking = new Map<ReopenCheck, Map<ItemId, string>>();
  for (const { facts, change } of reopened) {
    const check = registry.pipelineOf(change.pipeline)?.reopen;
    if (check === undefined) continue;
    const items = asking.get(check) ?? new Map<ItemId, string>();
    asking.set(check, items.set(formatId("item", facts.id), facts.id));
  }
  const refused = new Map<string, string>();
  if (asking.size === 0) return refused;
  // Items before what an application has of them: whoever removes or settles one comes the same way.
  await lockItems(
    tx,
    [...asking.values()].flatMap((items) => [...items.values()]),
  );
  for (const [check, items] of asking) {
    for (const [item, reason] of await check(tx, [...items.keys()])) {
      const id = items.get(item);
      if (id !== undefined) refused.set(id, safeText(reason, 500));
    }
  }
  return refused;
}
