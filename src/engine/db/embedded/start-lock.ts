// One process at a time decides whether the server runs, starts it, or stops it.
//
// The lock is a file that says which process holds it. It is taken from a holder only when that process is dead, never
// because it is old: a machine that was suspended, or a database that recovers for minutes, must not end with two servers.
//
// Hazard: two processes both find a dead holder, the first removes the file and takes the lock, and the second then
// removes the first one's file. So removing a dead holder's file is itself done under a lock, named for that holder,
// and the file is read again under it. Should the remover die as well, the same rule removes its lock in turn.
import { link, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { uniqueName } from "./chance.ts";
import { EmbeddedDatabaseError, hasCode } from "./error.ts";
import { formatIdentity, isAlive, ownIdentity, parseIdentity } from "./process-identity.ts";
import { poll, type Sleep } from "./wait.ts";

/** Longer than a server may take to recover under the lock (see server.ts), so that a waiter outlasts a slow starter. */
const WAIT_MS = 15 * 60_000;

export async function withLock<T>(file: string, sleep: Sleep, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  await take(file, sleep, waitMs);
  try {
    await removeLitter(file);
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string, sleep: Sleep, waitMs: number): Promise<void> {
  const taken = await poll(async () => ((await tryTake(file, sleep)) ? true : undefined), {
    everyMs: 20,
    forMs: waitMs,
    sleep,
  });
  if (taken) return;
  const holder = parseIdentity((await readLock(file)) ?? "");
  throw new EmbeddedDatabaseError(
    "LOCKED",
    `Process ${holder?.pid ?? "(unknown)"} has been starting or stopping the database for ${Math.ceil(waitMs / 60_000)} minutes (lock ${file}). End that process, then start again.`,
  );
}

async function tryTake(file: string, sleep: Sleep): Promise<boolean> {
  const text = await readLock(file);
  if (text === undefined) return create(file);
  const holder = parseIdentity(text);
  if (holder && (await isAlive(holder))) return false;
  // A lock that cannot be read: its content never reached the disk before a power loss (it is complete before it gets
  // its name, see create), so its holder died with the machine.
  const dead = holder ? `${holder.pid}-${holder.started}` : "unreadable";
  await withLock(`${file}.${dead}`, sleep, async () => {
    if ((await readLock(file)) === text) await rm(file, { force: true });
  });
  return create(file);
}

/** Written under another name first and then linked: at no moment is there a lock without its holder's name in it. */
async function create(file: string): Promise<boolean> {
  const draft = `${file}.draft-${uniqueName()}`;
  await writeFile(draft, formatIdentity(await ownIdentity()), { flag: "wx" });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    // ENOENT: the one who just got the lock swept our draft away as litter. Either way somebody else has it.
    if (hasCode(error, "EEXIST", "ENOENT")) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readLock(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Drafts and removers' locks of processes that died. Safe for the holder: whoever still uses one reads the lock again. */
async function removeLitter(file: string): Promise<void> {
  const names = await readdir(dirname(file));
  const litter = names.filter((name) => name.startsWith(`${basename(file)}.`));
  await Promise.all(litter.map((name) => rm(join(dirname(file), name), { force: true })));
}
