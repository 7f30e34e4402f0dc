// `sluice torrents`: the embedded download client, in a process of its own.

import path from "node:path";
import { processState, serveTorrents, TORRENT_DEFAULTS, type TorrentServerOptions } from "../../connectors/index.ts";
import { InputError, toMilliseconds } from "../../kit/index.ts";
import { UsageError } from "../exit.ts";
import { makeLog } from "../log.ts";
import { makeSay } from "../say.ts";
import { stopSignal } from "../stop-signal.ts";
import { packageVersion } from "../version.ts";
import { type Call, textOption } from "./call.ts";

export const TORRENTS_PORT = 7471;

export async function torrents({ options, out }: Call): Promise<undefined> {
  const settings = torrentSettings(options);
  const say = makeSay(out);
  const log = makeLog({ level: textOption(options, "logLevel") });
  const stop = stopSignal({ withParent: true });
  const self = { pid: process.pid, started: processState(process.pid)?.started ?? "" };
  const server = await serveTorrents({ ...settings, self, version: await packageVersion(), log });
  const { url, tokenFile, peerPort } = server;
  say("listening", `downloading to ${settings.folder}; asked at ${url} with the token in ${tokenFile}`, {
    url,
    tokenFile,
    peerPort,
  });
  const signal = await stop.told;
  say("stopping", `${signal}: noting how far everything is`, { signal });
  await server.stop();
  return undefined;
}

/** What was typed → what the client is told. Pure. */
export function torrentSettings(
  options: Readonly<Record<string, unknown>>,
): Omit<TorrentServerOptions, "self" | "version"> {
  const folder = textOption(options, "folder");
  if (folder === undefined)
    throw new UsageError("sluice torrents needs --folder", "sluice torrents --folder downloads");
  const number = (name: string, fallback: number) => wholeOption(options, name, fallback);
  const { atATime, connections, peerHost, peerPort, seedMs } = TORRENT_DEFAULTS;
  return {
    folder: path.resolve(folder),
    port: number("port", TORRENTS_PORT),
    peerHost: textOption(options, "peerHost") ?? peerHost,
    peerPort: number("peerPort", peerPort),
    isPublic: options.public === true,
    reach: options.lan === true ? "lan" : "public",
    downloadLimit: number("downloadLimit", 0) * 1_024,
    uploadLimit: number("uploadLimit", 0) * 1_024,
    connections: number("connections", connections),
    atATime: number("atATime", atATime),
    seedRatio: ratioOption(options),
    seedMs: timeOption(options, seedMs),
  };
}

function wholeOption(options: Readonly<Record<string, unknown>>, name: string, fallback: number): number {
  const text = textOption(options, name);
  const value = text === undefined ? fallback : Number(text);
  if (text?.trim() === "" || !Number.isInteger(value) || value < 0)
    throw new UsageError(`${flagOf(name)} must be a whole number from 0 up, got "${text}"`, "sluice torrents --help");
  return value;
}

function ratioOption(options: Readonly<Record<string, unknown>>): number {
  const text = textOption(options, "seedRatio");
  const value = text === undefined ? TORRENT_DEFAULTS.seedRatio : Number(text);
  if (text?.trim() === "" || !(value >= 0))
    throw new UsageError(`--seed-ratio must be a number from 0 up, got "${text}"`, "sluice torrents --help");
  return value;
}

function timeOption(options: Readonly<Record<string, unknown>>, fallback: number): number {
  const text = textOption(options, "seedTime");
  try {
    return text === undefined ? fallback : toMilliseconds(text, "--seed-time");
  } catch (error) {
    if (error instanceof InputError) throw new UsageError(error.message, "sluice torrents --seed-time 24h");
    throw error;
  }
}

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
