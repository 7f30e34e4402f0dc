// Whose a name at a server is, and what that means for whoever wants it. Pure.

import type { FoundDelivery } from "./deliveries.sql.ts";
import type { Consignment } from "./parcel.ts";

export interface NameFacts extends Pick<Consignment, "id" | "title" | "madeOf" | "isWhole"> {
  /** Who wants it: the item's number. */
  readonly item: string;
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
  /** Another's that is made of the same download in the same encoding, such as the other episode in it: it is enough for both. */
  | "shared"
  /** Of the same title, by an item that is over: what is delivered now takes its place. */
  | "earlier"
  /** Of an item that ended without it: what is left of that goes first. */
  | "left"
  /** Another's that is at it, or just being removed: when that has ended, it is known what lies there. */
  | "busy"
  /** Another's, and there. */
  | "another";

export function nameStanding({ item, id, title, madeOf, isWhole, row }: NameFacts): NameStanding {
  if (row === undefined) return "free";
  if (row.state === "leaving") return "busy";
  const isSame = row.made_of === madeOf;
  if (row.item_id === item) {
    if (row.part_id !== id) return "changed";
    return isThere(row) ? "there" : row.state === "sent" ? "sent" : "sending";
  }
  if (isThere(row)) {
    if (isSame) return "shared";
    if (row.title !== title) return "another";
    return row.is_live ? "busy" : "earlier";
  }
  if (!row.is_live) return "left";
  // With all or nothing both would wait for each other, each at the server where it came second.
  return row.state === "sent" && row.is_whole && isWhole && isSame ? "shared" : "busy";
}

export const isThere = ({ state }: Pick<FoundDelivery, "state">): boolean => state === "published" || state === "kept";
