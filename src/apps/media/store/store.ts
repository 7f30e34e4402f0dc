// What was set and kept, over a connection that is asked for when it is needed: a stage may run where no engine is open.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { MediaStore } from "../ports.ts";
import { listClients, listIndexers } from "../settings/settings.sql.ts";
import { findTorrent, keepTorrent, mapPack, mappedFile } from "./torrents.sql.ts";

const NOW: Statement = { name: "media-now", text: "select sluice.now() as now" };

export function mediaStore(db: () => Promise<Queryable>): MediaStore {
  const isOn = ({ is_on }: { readonly is_on: boolean }) => is_on;
  return {
    async now() {
      const [row] = await (await db()).query<{ now: Date }>(NOW, []);
      if (row === undefined) throw new Error("a row is always answered");
      return row.now;
    },
    indexers: async () => (await listIndexers(await db())).filter(isOn),
    clients: async () => (await listClients(await db())).filter(isOn),
    keepTorrent: async (row) => keepTorrent(await db(), row),
    findTorrent: async (infohash) => findTorrent(await db(), infohash),
    mapPack: async (infohash, files) => mapPack(await db(), infohash, files),
    mappedFile: async (infohash, of) => mappedFile(await db(), infohash, of),
  };
}
