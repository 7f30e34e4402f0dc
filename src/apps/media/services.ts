// Whom the media pipeline depends on. Each has a breaker, a rate and a capacity, shared by all workers.

import type { Indexer, Metadata } from "../../connectors/index.ts";
import { service } from "../../engine/index.ts";
import type { DownloadClient } from "./stages/download.ts";

/** Its own limit is about fifty a second for an address. */
export const metadata = service<Metadata>("metadata", { limit: "20/s", probe: (client) => client.searchFilms("a") });

export const indexers = service.each<Indexer>("indexer", { limit: "30/min", probe: (client) => client.caps() });

/** So many torrents at a time in one client. */
export const clients = service.each<DownloadClient>("torrents", {
  capacity: 10,
  probe: (client) => client.torrents.about(),
});
