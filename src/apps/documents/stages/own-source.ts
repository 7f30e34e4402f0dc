// Whose PDF an item may have to do with: every stage asks, not the first alone. A stage can be skipped, and an item can be begun in the
// middle; whoever knows a hash has no more right to the file than before.

import { permanent, type Visit } from "../../../engine/index.ts";
import type { Document } from "../document.ts";
import type { DocumentPorts } from "../ports.ts";
import type { SourceRow } from "../store/documents.sql.ts";

type Asking = Pick<Visit<Document>, "input" | "item">;

/** What was uploaded as this item, by whom it belongs to. */
export async function uploadedAs({ input, item }: Asking, { store }: DocumentPorts): Promise<SourceRow> {
  const row = await store.source(item.id);
  if (row === undefined || row.sha256 !== input.sha256 || row.owner !== item.owner)
    throw permanent("NOT_UPLOADED", "it was not uploaded", { breaker: "none" });
  return row;
}

/** The same, while its PDF is kept. */
export async function ownSource(visit: Asking, ports: DocumentPorts): Promise<SourceRow> {
  const row = await uploadedAs(visit, ports);
  if (row.source_gone_at !== null) throw sourceGone();
  return row;
}

export const sourceGone = () => permanent("SOURCE_GONE", "its file was removed", { breaker: "none" });
