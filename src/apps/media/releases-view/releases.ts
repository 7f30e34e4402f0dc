// What was found for an item, as people look at it and choose from it.

import { createHash } from "node:crypto";
import { type ItemView, parseId, SluiceError, type Tables } from "../../../engine/index.ts";
import type { Listing, Offered, RefusedRelease } from "../found.ts";
import { NO_TORRENT } from "../stages/indexers.ts";
import { findListing } from "./listing.sql.ts";

export interface Releases extends Listing {
  readonly searchedAt: Date | null;
}

const NONE: Releases = { taken: null, next: [], refused: [], searchedAt: null };

export async function releasesOf(tables: Tables, item: ItemView["id"]): Promise<Releases> {
  const row = await findListing(tables, parseId("item", item));
  return row === undefined ? NONE : { ...row.listing, searchedAt: row.searched_at };
}

/** By which one of them is chosen: the same for the same release, and short. */
export function releaseId({ indexer, guid }: Pick<Offered, "indexer" | "guid">): string {
  return createHash("sha256").update(`${indexer}\n${guid}`).digest("base64url").slice(0, 22);
}

export function chosenOf({ taken, next, refused }: Releases, id: string): Offered {
  const all: readonly (Offered | RefusedRelease)[] = [...(taken === null ? [] : [taken]), ...next, ...refused];
  const found = all.find((one) => releaseId(one) === id);
  if (found === undefined)
    throw new SluiceError("NOT_FOUND", "that release is not among what was found; look at the list again", {
      field: "release",
    });
  if ("code" in found && found.code === NO_TORRENT)
    throw new SluiceError("REFUSED", "it is on Usenet, and no download client here can fetch that", {
      field: "release",
    });
  const { title, guid, indexer, bytes, infohash, magnet, downloadUrl, seeders, minimumRatio, minimumSeedMs } = found;
  return { title, guid, indexer, bytes, infohash, magnet, downloadUrl, seeders, minimumRatio, minimumSeedMs };
}

/** How the search stands, in words; `why` is the engine's sentence. */
export function releasesSentence(
  { stage, state }: Pick<ItemView, "stage" | "state">,
  { taken, next }: Pick<Releases, "taken" | "next">,
  why: string,
): string {
  if (taken === null || stage === "search" || state === "failed" || state === "cancelled") return why;
  const others = next.length === 1 ? "one other release is" : `${next.length} others are`;
  const rest = next.length === 0 ? "it is searched for again" : `${others} tried before it is searched for again`;
  return state === "done" ? "It is downloaded." : `It was taken as the best; if it fails or stands still, ${rest}.`;
}
