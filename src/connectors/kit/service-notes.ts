// A service of ours in a process of its own: in its folder stands who it is, where it is asked, and with what. For others on the same
// machine, who can read that folder.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { SluiceError } from "../../kit/index.ts";
import { codeOf } from "./errno-faults.ts";
import { findProcess, type ProcessIdentity } from "./process-identity.ts";

const Identity = z.object({ pid: z.number(), started: z.string() });
const Address = Identity.extend({ url: z.string() });

const addressFile = (notes: string): string => path.join(notes, "address");
export const tokenFileIn = (notes: string): string => path.join(notes, "token");

export async function writeAddress(notes: string, url: string, self: ProcessIdentity): Promise<void> {
  await writeFile(addressFile(notes), JSON.stringify({ url, ...self }), { mode: 0o600 });
}

export async function forgetAddress(notes: string): Promise<void> {
  await rm(addressFile(notes), { force: true });
}

/** Undefined where none runs: after a crash somebody else may listen at that address, and must not be shown the token. */
export async function findService(
  notes: string,
): Promise<{ readonly url: string; readonly token: string } | undefined> {
  const said = await read(addressFile(notes));
  const token = (await read(tokenFileIn(notes)))?.trim();
  if (said === undefined || !token) return undefined;
  const address = Address.safeParse(parsed(said)).data;
  if (address === undefined || findProcess(address) === "gone") return undefined;
  return { url: address.url, token };
}

/** One process for one folder: two would write over each other. `what` is said of the one that has it: "keeps the torrents of …". */
export async function takeLock(notes: string, self: ProcessIdentity, what: string): Promise<void> {
  const file = path.join(notes, "lock");
  const holder = Identity.safeParse(parsed((await read(file)) ?? "")).data;
  const isOther = holder !== undefined && (holder.pid !== self.pid || holder.started !== self.started);
  if (isOther && findProcess(holder) === "alive")
    throw new SluiceError("FOLDER_IN_USE", `process ${holder.pid} ${what} already`);
  await writeFile(file, JSON.stringify(self), { mode: 0o600 });
}

const SHORTEST_TOKEN = 32;

export async function readOrMakeToken(file: string): Promise<string> {
  const known = ((await read(file)) ?? "").trim();
  if (known.length >= SHORTEST_TOKEN) return known;
  const token = randomBytes(24).toString("base64url");
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(`${token}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return token;
}

/** Compared by hashes, which are of one length, in a time that tells nothing. */
export function isBearer(header: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(header ?? ""), hash(`Bearer ${token}`));
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
