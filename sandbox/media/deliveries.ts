// What somebody would set so that films are delivered: an encoding, and servers of which one gets films as they are and two get it.

import { join } from "node:path";
import { type MediaApp, saveEncoding } from "../../src/apps/media/index.ts";
import { JELLYFIN_KEY, JELLYFIN_ROOT, jellyfin } from "./services/jellyfin.ts";
import { doorOf, SERVERS, type ServerName } from "./services/servers.ts";

/** Small enough that every film of this world has to be encoded for it, and quickly made. */
export const ENCODING = { name: "pocket", codec: "h264", maxHeight: 144, crf: 38, preset: "ultrafast" } as const;

export const encodingOf = (server: ServerName): string | null => (server === "attic" ? null : ENCODING.name);

export interface DeliveryPlaces {
  /** Of each service, by its name. */
  readonly ports: ReadonlyMap<string, number>;
  /** Where each has its folder. */
  readonly folder: string;
  readonly bytesPerSecond: number | null;
}

export async function setUpDeliveries(app: MediaApp, places: DeliveryPlaces): Promise<void> {
  const { name, ...encoding } = ENCODING;
  await (await app.tables()).transaction(async (tx) => {
    await saveEncoding(tx, name, encoding);
    for (const server of SERVERS) await app.settings.servers.set(tx, server, settingOf(server, places));
  });
}

function settingOf(server: ServerName, { ports, folder, bytesPerSecond }: DeliveryPlaces) {
  const { username, password, privateKey, root } = doorOf(join(folder, server));
  const url = `http://127.0.0.1:${ports.get(jellyfin.name)}/`;
  return {
    ...{ kind: "sftp" as const, host: "127.0.0.1", port: ports.get(server) ?? 0, username, password, privateKey, root },
    ...{ films: "Films", series: "Series", bytesPerSecond, encoding: encodingOf(server), isDefault: true },
    mediaServer: server === "attic" ? { kind: "jellyfin" as const, url, key: JELLYFIN_KEY, root: JELLYFIN_ROOT } : null,
  };
}
