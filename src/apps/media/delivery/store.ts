// What the stages that deliver read and write, over a connection that is asked for when it is needed.

import { parseId, type Queryable } from "../../../engine/index.ts";
import { listServers, type ServerRow } from "../settings/servers.sql.ts";
import { episodesOfFile } from "../store/torrents.sql.ts";
import {
  claimDelivery,
  type DeliveryHold,
  type DeliveryRow,
  type DeliveryState,
  dropDelivery,
  type FoundDelivery,
  findDelivery,
  joinDelivery,
  markDelivery,
  otherDeliveries,
  resumeDelivery,
} from "./deliveries.sql.ts";
import {
  isStillLeft,
  type LeavingRow,
  type LeftDelivery,
  leftDeliveries,
  letGo,
  type NameOfItem,
} from "./leaving.sql.ts";
import type { Consignment } from "./parcel.ts";

export interface DeliveryStore {
  servers(): Promise<readonly ServerRow[]>;
  /** Which episodes are in the same file of a torrent. */
  episodesWith(infohash: string, of: { readonly season: number; readonly episode: number }): Promise<readonly number[]>;
  find(server: string, path: string): Promise<FoundDelivery | undefined>;
  /** With the turn that the name was taken up by; undefined where somebody else was faster. */
  claim(part: Consignment, seen: FoundDelivery | undefined, as: TakenAs): Promise<number | undefined>;
  /** The same as it is, with the turn that the name was taken up by; undefined where somebody else was faster. */
  resume(part: Pick<Consignment, "item">, seen: FoundDelivery): Promise<number | undefined>;
  /** The item has what lies there, too. False where somebody else was faster. */
  join(part: Pick<Consignment, "item">, seen: FoundDelivery): Promise<boolean>;
  /** False where somebody else has taken it up since. */
  mark(hold: DeliveryHold, state: DeliveryState, sha256?: string): Promise<boolean>;
  drop(hold: DeliveryHold): Promise<void>;
  /** Of the same item, under another name. */
  others(part: Pick<Consignment, "name" | "to" | "item">): Promise<readonly DeliveryRow[]>;
  /** What has to be removed, where nobody else has it. `isReplaced`: what was delivered, too. */
  letGo(name: NameOfItem, isReplaced?: boolean): Promise<LeavingRow | undefined>;
  left(limit: number): Promise<readonly LeftDelivery[]>;
  isStillLeft(name: NameOfItem): Promise<boolean>;
}

/** What becomes of a name with whoever takes it up. */
export interface TakenAs extends Pick<DeliveryRow, "state" | "sha256" | "there_bytes"> {
  /** Who had it wants it still. */
  readonly isShared?: boolean;
}

export const nameOf = ({ name, to, item }: Pick<Consignment, "name" | "to" | "item">): NameOfItem => ({
  ...{ server: name, path: to, item_id: parseId("item", item) },
});

export function deliveryStore(db: () => Promise<Queryable>): DeliveryStore {
  return {
    servers: async () => listServers(await db()),
    episodesWith: async (infohash, of) => episodesOfFile(await db(), infohash, of),
    find: async (server, path) => findDelivery(await db(), server, path),
    claim: async (part, seen, { isShared = false, ...as }) => {
      const { isWhole: is_whole, id: part_id, title, madeOf: made_of, file } = part;
      const row = { ...nameOf(part), part_id, is_whole, title, made_of, bytes: file?.bytes ?? 0, ...as };
      return claimDelivery(await db(), { ...row, seen: seen?.turn ?? null, isShared });
    },
    resume: async ({ item }, seen) => resumeDelivery(await db(), seen, parseId("item", item)),
    join: async ({ item }, seen) => joinDelivery(await db(), seen, parseId("item", item)),
    mark: async (hold, state, sha256) => markDelivery(await db(), hold, state, sha256 ?? null),
    drop: async (hold) => dropDelivery(await db(), hold),
    others: async ({ item, name, to }) => otherDeliveries(await db(), parseId("item", item), name, to),
    letGo: async (name, isReplaced = false) => letGo(await db(), name, isReplaced),
    left: async (limit) => leftDeliveries(await db(), limit),
    isStillLeft: async (name) => isStillLeft(await db(), name),
  };
}
