// Sluice's own PostgreSQL in a folder: made at the first start, shared by every process on this machine that opens the
// folder, left running by one that is killed and adopted by the next, stopped by the last one that leaves.
//
//   open ─ lock ─┬─ no database yet ── initdb ──┐
//                ├─ runs ───────────────────────┼─ answers ── become a member ─ unlock
//                └─ does not run ── start ──────┘
//   leave ─ lock ── no longer a member ── no living member left? stop it ─ unlock
//
// One machine and one set of process ids: containers that share a folder do not see each other's processes.
import { join } from "node:path";
import { InputError } from "../../../kit/index.ts";
import { readPassword, urlOf } from "./answers.ts";
import { locateBinaries, runnableBinaries } from "./binaries.ts";
import { clusterMajor, refuseOtherMajor } from "./cluster-version.ts";
import { EmbeddedDatabaseError, hasCode } from "./error.ts";
import { initialise } from "./initialise.ts";
import { countMembers, joinMembers, leaveMembers, type Membership } from "./members.ts";
import { choosePlace } from "./place.ts";
import { bringDown, bringUp, type Running } from "./server.ts";
import type { Binaries, Site } from "./site.ts";
import { withLock } from "./start-lock.ts";
import { type Sleep, sleep } from "./wait.ts";

export { EmbeddedDatabaseError, type EmbeddedFailure } from "./error.ts";

export interface EmbeddedOptions {
  readonly folder: string;
  readonly log?: (line: string) => void;
  /** Where data and programs go when root's account for PostgreSQL cannot reach the folder. Default /var/lib/sluice. */
  readonly elsewhere?: string;
  /** Other programs than those of the installed package. */
  readonly binaries?: Binaries;
  readonly sleep?: Sleep;
}

export interface EmbeddedServer {
  /** Of the database `sluice`, with its password. */
  readonly url: string;
  /** Whether it was already running. */
  readonly adopted: boolean;
  /** Starts the server again if it has died meanwhile; not after leaving. The URL stays the same unless its port was taken. */
  revive(): Promise<string>;
  /** Stops the server when nobody else uses it. Further calls wait for the first. */
  leave(): Promise<void>;
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  // An empty name would mean the working folder itself.
  if (options.folder.trim() === "" || options.folder.includes("\0")) {
    throw new InputError("folder", 'folder must be the path of a folder, such as "./data".');
  }
  try {
    const site = await prepareSite(options);
    const lock = join(site.home, "start.lock");
    const up = () => withLock(lock, site.sleep, () => ensureUp(site));
    const { running, password, membership } = await withLock(lock, site.sleep, async () => {
      const server = await ensureUp(site);
      return { ...server, membership: await joinMembers(site.home) };
    });
    if (running.adopted) site.log(`using the database already running in ${site.shownAs}`);
    let leaving: Promise<void> | undefined;
    return {
      url: urlOf(running.port, password),
      adopted: running.adopted,
      revive: async () => {
        // Whoever has left does not start it again: nobody would be there to stop it.
        if (leaving !== undefined) return urlOf(running.port, password);
        const again = await up();
        return urlOf(again.running.port, again.password);
      },
      leave: () => {
        leaving ??= withLock(lock, site.sleep, () => depart(site, membership));
        return leaving;
      },
    };
  } catch (error) {
    throw readable(error, options.folder);
  }
}

async function prepareSite(options: EmbeddedOptions): Promise<Site> {
  const log = options.log ?? (() => undefined);
  const pause = options.sleep ?? sleep;
  const elsewhere = options.elsewhere ?? "/var/lib/sluice";
  const found = options.binaries ?? (await locateBinaries());
  const place = await choosePlace(options.folder, elsewhere, pause, log);
  const where = { account: place.account, home: place.home, elsewhere };
  const binaries = await withLock(join(place.home, "start.lock"), pause, () => runnableBinaries(found, where, log));
  return { ...place, binaries, sleep: pause, log };
}

async function ensureUp(site: Site): Promise<{ running: Running; password: string }> {
  const major = await clusterMajor(site.cluster);
  if (major === undefined) await initialise(site);
  else refuseOtherMajor(site, major, site.binaries);
  const password = await readPassword(site);
  return { running: await bringUp(site, password), password };
}

async function depart(site: Site, membership: Membership): Promise<void> {
  await leaveMembers(membership);
  if ((await countMembers(site.home)) > 0) return;
  await bringDown(site);
  site.log(`stopped the database in ${site.shownAs}`);
}

/** The operating system's refusals, said in terms of the folder the user named. */
function readable(error: unknown, folder: string): unknown {
  if (error instanceof EmbeddedDatabaseError || !(error instanceof Error)) return error;
  const { message } = error;
  if (hasCode(error, "ENOTDIR", "EEXIST")) {
    return new EmbeddedDatabaseError("FOLDER_UNREACHABLE", `${folder} is not a folder: ${message}`, { cause: error });
  }
  if (hasCode(error, "ENOSPC")) {
    return new EmbeddedDatabaseError("DISK_FULL", `The disk that holds ${folder} is full: ${message}`, {
      cause: error,
    });
  }
  if (!hasCode(error, "EACCES", "EPERM", "EROFS")) return error;
  return new EmbeddedDatabaseError(
    "FOLDER_UNREACHABLE",
    `Sluice may not use the database folder ${folder} (${message}). It belongs to the user who started Sluice first: start it as that user, or name another folder.`,
    { cause: error },
  );
}
