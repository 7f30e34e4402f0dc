// The download client that runs with `sluice up --apps media`.

import type { Tables } from "../engine/index.ts";
import { systemClock } from "../kit/index.ts";
import { downloadsFolder } from "./apps.ts";
import type { Config } from "./config/settings.ts";
import type { Log } from "./log.ts";
import type { Say } from "./say.ts";
import { forkSelf, type Keeper, keepRunning } from "./torrents-keeper.ts";

/** Undefined where it is not wanted. */
export async function startTorrents(tables: Tables, config: Config, log: Log, say: Say): Promise<Keeper | undefined> {
  if (!config["media.embedded"]) return undefined;
  const { setEmbeddedOnce } = await import("../apps/media/index.ts");
  await setEmbeddedOnce(tables);
  const folder = downloadsFolder(config);
  say("downloads", `downloads are put to ${folder}`, { folder });
  const args = torrentsArgs(config, folder);
  return keepRunning({ start: () => forkSelf(args), clock: systemClock, log });
}

/** Asked on any port: the address stands in its folder. Peers may name each other, as anywhere on the internet. Pure. */
export function torrentsArgs(config: Config, folder: string): string[] {
  return [
    ...["torrents", "--folder", folder, "--port", "0", "--public"],
    ...["--peer-host", config["media.peerHost"], "--peer-port", String(config["media.peerPort"])],
    ...(config["media.lan"] ? ["--lan"] : []),
    ...["--log-level", config["log.level"]],
  ];
}
