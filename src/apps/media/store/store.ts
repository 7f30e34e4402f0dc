// What was set and kept, over a connection that is asked for when it is needed: a stage may run where no engine is open.

import { type ItemId, parseId, type Queryable, type RequestId, type Statement } from "../../../engine/index.ts";
import { formatId } from "../../../kit/index.ts";
import { deliveryStore } from "../delivery/store.ts";
import type { HeldEpisodes, MediaStore } from "../ports.ts";
import { dropChoice, findChoice, findListing, keepListing, useChoice } from "../releases-view/listing.sql.ts";
import { findAsks, findHeld, findTargets, type HeldItem, noteRequest } from "../requests/requests.sql.ts";
import { listClients, listIndexers } from "../settings/settings.sql.ts";
import { madeBefore } from "../stages/made-before.sql.ts";
import { lookUps } from "../titles/look-ups.ts";
import { notedOf } from "../wanted.ts";
import { indexerAnswers } from "./answers.ts";
import { findTorrent, keepTorrent, mapPack, mappedFile } from "./torrents.sql.ts";

const NOW: Statement = { name: "media-now", text: "select sluice.now() as now" };

export function mediaStore(db: () => Promise<Queryable>): MediaStore {
  const isOn = ({ is_on }: { readonly is_on: boolean }) => is_on;
  const now = async () => {
    const [row] = await (await db()).query<{ now: Date }>(NOW, []);
    if (row === undefined) throw new Error("a row is always answered");
    return row.now;
  };
  return {
    now,
    lookUps: lookUps(db, now),
    answers: indexerAnswers(db),
    deliveries: deliveryStore(db),
    ...asked(db),
    indexers: async () => (await listIndexers(await db())).filter(isOn),
    clients: async () => (await listClients(await db())).filter(isOn),
    keepTorrent: async (row) => keepTorrent(await db(), row),
    findTorrent: async (infohash) => findTorrent(await db(), infohash),
    mapPack: async (infohash, files) => mapPack(await db(), infohash, files),
    mappedFile: async (infohash, of) => mappedFile(await db(), infohash, of),
  };
}

const itemOf = (id: ItemId): string => parseId("item", id);
const requestOf = (id: RequestId): string => parseId("request", id);

function asked(db: () => Promise<Queryable>) {
  return {
    namedTargets: async (request) => findTargets(await db(), requestOf(request)),
    madeBefore: async (item, of) => madeBefore(await db(), { ...of, item: itemOf(item) }),
    noteRequest: async (request, input) => noteRequest(await db(), requestOf(request), notedOf(input)),
    listing: async (item) => (await findListing(await db(), itemOf(item)))?.listing,
    keepListing: async (item, listing, isSearched) => keepListing(await db(), itemOf(item), listing, isSearched),
    choice: async (item, key) => findChoice(await db(), itemOf(item), key),
    useChoice: async (item, key) => useChoice(await db(), itemOf(item), key),
    dropChoice: async (item) => dropChoice(await db(), itemOf(item)),
    async earlierAsk(request, item) {
      const [first] = await findAsks(await db(), requestOf(request), itemOf(item));
      return first === undefined ? undefined : formatId("item", first.id);
    },
    heldEpisodes: async (request, tmdb) =>
      heldBy(requestOf(request), await findHeld(await db(), "series", tmdb, requestOf(request))),
  } satisfies Partial<MediaStore>;
}

const DONE = 1;

function heldBy(request: string, items: readonly HeldItem[]): HeldEpisodes {
  const placed = items.flatMap(({ season, episode, ...item }) =>
    season === null || episode === null ? [] : [{ season, episode, ...item }],
  );
  return {
    here: placed.filter((one) => one.request_id === request),
    there: placed.filter((one) => one.state === DONE),
  };
}
