// The download client that runs with `sluice up --apps media`.

import { mkdir } from "node:fs/promises";
import type { Tables } from "../engine/index.ts";
import { systemClock } from "../kit/index.ts";
import type { Config } from "./config/settings.ts";
import { forkSelf, type Keeper, keepRunning } from "./keeper.ts";
import type { Log } from "./log.ts";
import { downloadsFolder } from "./media-app.ts";
import type { Part } from "./open-options.ts";
import type { Say } from "./say.ts";

interface Given {
  readonly config: Config;
  readonly log: Log;
  readonly say: Say;
}

/** Where it is wanted, the folder it puts things to, made by now: its disk is watched. */
export async function embeddedFolder(part: Part, config: Config): Promise<string | undefined> {
  if (part !== "up" || !config.apps.includes("media") || !config["media.embedded"]) return undefined;
  const folder = downloadsFolder(config);
  await mkdir(folder, { recursive: true });
  return folder;
}

export async function startTorrents(tables: Tables, folder: string, { config, log, say }: Given): Promise<Keeper> {
  const { setEmbeddedOnce } = await import("../apps/media/index.ts");
  await setEmbeddedOnce(tables);
  say("downloads", `downloads are put to ${folder}`, { folder });
  const args = torrentsArgs(config, folder);
  return keepRunning({ name: "torrents", start: () => forkSelf(args), clock: systemClock, log });
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
