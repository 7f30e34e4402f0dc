// What the stages that deliver read and write, over a connection that is asked for when it is needed.

import type { EncodingProfile } from "../../../connectors/index.ts";
import { type ItemId, parseId, type Queryable, type RequestId } from "../../../engine/index.ts";
import { findEncodings, findTargets } from "../requests/requests.sql.ts";
import { listServers, type ServerRow } from "../settings/servers.sql.ts";
import { episodesOfFile } from "../store/torrents.sql.ts";
import {
  claimDelivery,
  type DeliveryKey,
  type DeliveryRow,
  type DeliveryState,
  dropDelivery,
  type FoundDelivery,
  findDelivery,
  leftDeliveries,
  markDelivery,
  otherDeliveries,
  stillLeft,
} from "./deliveries.sql.ts";
import type { Consignment, Target } from "./parcel.ts";

export interface DeliveryStore {
  servers(): Promise<readonly ServerRow[]>;
  /** All that anybody named who asked for it. */
  targets(request: RequestId): Promise<readonly Target[]>;
  /** The encodings that those name, whole. */
  encodings(request: RequestId): Promise<readonly EncodingProfile[]>;
  /** Which episodes are in the same file of a torrent. */
  episodesWith(infohash: string, of: { readonly season: number; readonly episode: number }): Promise<readonly number[]>;
  find(server: string, path: string): Promise<FoundDelivery | undefined>;
  /** False where somebody else was faster. */
  claim(part: Consignment, seen: FoundDelivery | undefined): Promise<boolean>;
  mark(part: Pick<Consignment, "name" | "to" | "item" | "id">, state: DeliveryState, sha256?: string): Promise<void>;
  drop(key: DeliveryKey): Promise<void>;
  /** Of the same item, under another name. */
  others(part: Pick<Consignment, "name" | "to" | "item">): Promise<readonly DeliveryRow[]>;
  left(limit: number): Promise<readonly DeliveryRow[]>;
  stillLeft(key: DeliveryKey): Promise<DeliveryRow | undefined>;
}

export const keyOf = ({ name, to, item, id }: Pick<Consignment, "name" | "to" | "item" | "id">): DeliveryKey => ({
  ...{ server: name, path: to, item_id: parseId("item", item), part_id: id },
});

export function deliveryStore(db: () => Promise<Queryable>): DeliveryStore {
  return {
    servers: async () => listServers(await db()),
    targets: async (request) => findTargets(await db(), parseId("request", request)),
    encodings: async (request) => findEncodings(await db(), parseId("request", request)),
    episodesWith: async (infohash, of) => episodesOfFile(await db(), infohash, of),
    find: async (server, path) => findDelivery(await db(), server, path),
    claim: async (part, seen) => {
      const { isWhole: is_whole, file } = part;
      return claimDelivery(await db(), { ...keyOf(part), is_whole, bytes: file?.bytes ?? 0 }, seen);
    },
    mark: async (part, state, sha256) => markDelivery(await db(), keyOf(part), state, sha256 ?? null),
    drop: async (key) => dropDelivery(await db(), key),
    others: async ({ item, name, to }) => otherDeliveries(await db(), itemOf(item), name, to),
    left: async (limit) => leftDeliveries(await db(), limit),
    stillLeft: async (key) => stillLeft(await db(), key),
  };
}

const itemOf = (id: ItemId): string => parseId("item", id);
