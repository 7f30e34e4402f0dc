// Where the process that downloads is asked, and with what: written down in its folder, for others on the same machine.

import path from "node:path";
import { findService } from "../kit/index.ts";
import { STATE_FOLDER } from "./bittorrent/client.ts";

export interface TorrentsPlace {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
}

/** Undefined where none runs. */
export async function findTorrents(folder: string): Promise<TorrentsPlace | undefined> {
  const found = await findService(path.join(folder, STATE_FOLDER));
  return found === undefined ? undefined : { ...found, folder };
}
