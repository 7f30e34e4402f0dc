// Whose a name at a server is, and what that means for whoever wants it. Pure.

import type { FoundDelivery } from "./deliveries.sql.ts";

export interface NameFacts {
  /** Who wants it: the item's number, and its part. */
  readonly item: string;
  readonly id: string;
  readonly row: FoundDelivery | undefined;
}

export type NameStanding =
  /** Nobody's, as far as we know: what lies there is a stranger's. */
  | "free"
  /** Ours, and on its way. */
  | "sending"
  /** Ours, all of it there under its other name. */
  | "sent"
  /** Ours, and there. */
  | "there"
  /** Ours, of another content: what is left of that goes first. */
  | "changed"
  /** Of an item that ended without it: what is left of that goes first. */
  | "left"
  /** Another's that is at it: when that has ended, it is known what lies there. */
  | "busy"
  /** Another's, and there. */
  | "another";

export function nameStanding({ item, id, row }: NameFacts): NameStanding {
  if (row === undefined) return "free";
  const isThere = row.state === "published" || row.state === "kept";
  if (row.item_id !== item) {
    if (isThere) return "another";
    return row.is_live ? "busy" : "left";
  }
  if (row.part_id !== id) return "changed";
  if (isThere) return "there";
  return row.state;
}
