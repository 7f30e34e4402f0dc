// What the last search of an item came to, and what a person wants of it.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { Choice, Listing } from "../found.ts";

export interface ListingRow {
  /** Null where no indexer has been asked yet. */
  readonly searched_at: Date | null;
  readonly listing: Listing;
}

const FIND: Statement = {
  name: "media-find-listing",
  text: "select searched_at, listing from media.listing where item_id = $1",
};

export async function findListing(db: Queryable, item: string): Promise<ListingRow | undefined> {
  const [row] = await db.query<ListingRow>(FIND, [item]);
  return row;
}

const KEEP: Statement = {
  name: "media-keep-listing",
  text: `
insert into media.listing (item_id, searched_at, listing)
values ($1, case when $3 then sluice.now() end, $2::text::jsonb)
on conflict (item_id) do update
set listing = excluded.listing, searched_at = coalesce(excluded.searched_at, media.listing.searched_at)`,
};

export async function keepListing(db: Queryable, item: string, listing: Listing, isSearched: boolean): Promise<void> {
  await db.query(KEEP, [item, JSON.stringify(listing), isSearched]);
}

const FIND_CHOICE: Statement = {
  name: "media-find-choice",
  text: "select choice from media.choice where item_id = $1 and coalesce(used_key, $2) = $2",
};

/** Undefined where none was made, or another stay in the search has taken it. */
export async function findChoice(db: Queryable, item: string, key: string): Promise<Choice | undefined> {
  const [row] = await db.query<{ choice: Choice }>(FIND_CHOICE, [item, key]);
  return row?.choice;
}

const CHOOSE: Statement = {
  name: "media-choose",
  text: `
insert into media.choice (item_id, choice) values ($1, $2::text::jsonb)
on conflict (item_id) do update set choice = excluded.choice, used_key = null`,
};

export async function keepChoice(db: Queryable, item: string, choice: Choice): Promise<void> {
  await db.query(CHOOSE, [item, JSON.stringify(choice)]);
}

const USE: Statement = {
  name: "media-use-choice",
  text: "update media.choice set used_key = $2 where item_id = $1",
};

export async function useChoice(db: Queryable, item: string, key: string): Promise<void> {
  await db.query(USE, [item, key]);
}

const DROP: Statement = { name: "media-drop-choice", text: "delete from media.choice where item_id = $1" };

export async function dropChoice(db: Queryable, item: string): Promise<void> {
  await db.query(DROP, [item]);
}
