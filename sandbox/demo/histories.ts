// What happened to items and to their parts, as it was written down.

import type { HistoryEntry, ItemId, Sluice } from "../../src/engine/index.ts";

const MOST = 1_000;

export async function histories(
  sluice: Pick<Sluice, "item" | "history">,
  ids: readonly ItemId[],
): Promise<readonly (readonly HistoryEntry[])[]> {
  const parts = await Promise.all(ids.map(async (id) => (await sluice.item(id)).parts.map((part) => part.id)));
  const all = [...ids, ...parts.flat()];
  return await Promise.all(all.map(async (id) => (await sluice.history(id, { limit: MOST, outputs: false })).entries));
}
