// Whom the media pipeline depends on. Each has a breaker, a rate and a capacity, shared by all workers.

import type { Indexer, Metadata } from "../../connectors/index.ts";
import { service } from "../../engine/index.ts";
import type { DeliveryServer } from "./clients/servers.ts";
import type { EncodeBoard } from "./encoding/board.ts";
import type { MediaLimits } from "./limits.ts";
import type { DownloadClient } from "./stages/download.ts";

export type MediaServices = ReturnType<typeof mediaServices>;

export function mediaServices({ torrents, metadataRate, indexerRate, deliveries, breaker }: MediaLimits) {
  return {
    metadata: service<Metadata>("metadata", {
      ...{ limit: metadataRate, breaker },
      probe: (client) => client.searchFilms("a"),
    }),
    indexers: service.each<Indexer>("indexer", { limit: indexerRate, breaker, probe: (client) => client.caps() }),
    encoders: service<EncodeBoard>("encoders", { breaker }),
    clients: service.each<DownloadClient>("torrents", {
      ...{ capacity: torrents, breaker },
      probe: (client) => client.torrents.about(),
    }),
    servers: service.each<DeliveryServer>("server", {
      ...{ capacity: deliveries, breaker },
      probe: (server) => server.destination.about(),
    }),
  };
}
