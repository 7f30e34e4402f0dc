// Where the process that downloads is asked, and with what: written down in its folder, for others on the same machine.

import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { findProcess, type ProcessIdentity } from "../kit/index.ts";
import { STATE_FOLDER } from "./bittorrent/client.ts";
import { codeOf } from "./bittorrent/storage.ts";

const Address = z.object({ url: z.string(), pid: z.number(), started: z.string() });

export interface TorrentsPlace {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
}

const addressFile = (notes: string): string => path.join(notes, "address");
export const tokenFileIn = (notes: string): string => path.join(notes, "token");

export async function writeAddress(notes: string, url: string, self: ProcessIdentity): Promise<void> {
  await writeFile(addressFile(notes), JSON.stringify({ url, ...self }), { mode: 0o600 });
}

export async function forgetAddress(notes: string): Promise<void> {
  await rm(addressFile(notes), { force: true });
}

/** Undefined where none runs: after a crash somebody else may listen at that address, and must not be shown the token. */
export async function findTorrents(folder: string): Promise<TorrentsPlace | undefined> {
  const notes = path.join(folder, STATE_FOLDER);
  const said = await read(addressFile(notes));
  const token = (await read(tokenFileIn(notes)))?.trim();
  if (said === undefined || !token) return undefined;
  const address = Address.safeParse(parsed(said)).data;
  if (address === undefined || findProcess(address) === "gone") return undefined;
  return { url: address.url, token, folder };
}

/** Undefined for what was cut off: whoever wrote it has died doing so. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
