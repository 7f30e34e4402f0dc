// Which documents an address asks for, and what is said where there are none. Pure.

import type { DocumentAbout, DocumentShow, Me } from "../../../../src/server/contract/wire.ts";
import type { DocumentsWanted } from "../../api/documents.ts";
import { words } from "../../text/words.ts";

export const SHOWS = [
  "all",
  "open",
  "complete",
  "failed",
  "expired",
  "cancelled",
] as const satisfies readonly DocumentShow[];
/** Within those that are under way; in addresses, and not worth a place of their own. */
const NARROW = ["queued", "processing"] as const satisfies readonly DocumentShow[];

export interface Shown extends DocumentsWanted {
  readonly role: Me["role"];
}

interface Said {
  readonly show?: string;
  readonly owner?: string;
  readonly name?: string;
}

/** To a member all are theirs, and a viewer has none. */
export function shownBy({ show, owner, name = "" }: Said, role: Me["role"]): Shown {
  return {
    show: [...SHOWS, ...NARROW].find((one) => one === show) ?? "all",
    owner: role === "member" || (role === "admin" && owner === "me") ? "me" : "everyone",
    name,
    role,
  };
}

/** In an address only what is not as it begins. */
export function saidBy({ show, owner, name, role }: Shown): Said {
  return {
    ...(show === "all" ? {} : { show }),
    ...(role === "admin" && owner === "me" ? { owner } : {}),
    ...(name === "" ? {} : { name }),
  };
}

export function emptyText({ show, owner, name, role }: Shown): string {
  const texts = words.documents.empty;
  if (name !== "") return texts.named(name);
  if (show !== "all") return texts[show];
  if (role === "viewer") return texts.viewer;
  return role === "admin" && owner === "me" ? texts.mine : texts.all;
}

/** How many there are of them, as far as that was counted. */
export function countOf(show: DocumentShow, counts: DocumentAbout["counts"]): number {
  if (show === "open") return counts.queued + counts.processing;
  if (show !== "all") return counts[show];
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}
