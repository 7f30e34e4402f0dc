// Where the database lies, and as whom it runs there. Usually simply in the folder the user named; as root it must be a
// folder the database's account can get into, and a clone below /root or in a 0700 folder is none.
import { createHash } from "node:crypto";
import { chmod, lchown, mkdir, readdir, readFile, realpath, rename, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { dedicatedAccount, isRoot, mayTraverse, ownerOf } from "./account.ts";
import { uniqueName } from "./chance.ts";
import { EmbeddedDatabaseError, hasCode } from "./error.ts";
import type { Account, Place } from "./site.ts";
import type { Sleep } from "./wait.ts";

const CLUSTER = "postgres";
const NOTE = "database-is-in.txt";

export async function choosePlace(
  folder: string,
  elsewhere: string,
  sleep: Sleep,
  log: (line: string) => void,
): Promise<Place> {
  if (isRoot()) await makeFolder(resolve(folder), 0o755);
  else await mkdir(folder, { recursive: true, mode: 0o700 });
  const real = await realpath(folder);
  const here = { shownAs: folder, home: real, cluster: join(real, CLUSTER) };
  if (!isRoot()) return { ...here, account: undefined };

  const owner = await ownerOf(here.cluster);
  const account = owner === undefined || owner === "root" ? await dedicatedAccount(sleep) : owner;
  const reachable = await mayTraverse(real, account);
  if (owner !== undefined) {
    // Starting an empty database elsewhere would look to the user as if everything were lost.
    if (!reachable) throw unreachable(here.cluster, account);
    // Root never ran it: somebody copied or restored it as root.
    if (owner === "root") await chownAll(here.cluster, account);
    return { ...here, account };
  }

  const away = join(elsewhere, createHash("sha256").update(real).digest("hex").slice(0, 16));
  // Once there, always there: making the folder reachable later must not bring up an empty database either.
  const begun = await ownerOf(join(away, CLUSTER));
  if (reachable && begun === undefined) {
    await refuseForeignNote(real, undefined);
    return { ...here, account };
  }
  await refuseForeignNote(real, away);
  await makeFolder(elsewhere, 0o755);
  await makeFolder(away, 0o755);
  await writeFile(join(real, NOTE), `${away}\n`);
  log(
    begun === undefined
      ? `${folder} cannot be reached by the user ${account.name}, as which PostgreSQL runs when Sluice is root; the database lies in ${away}`
      : `the database of ${folder} lies in ${away}`,
  );
  const awayAccount = begun === undefined || begun === "root" ? account : begun;
  const home = await realpath(away);
  return { shownAs: folder, home, cluster: join(home, CLUSTER), account: awayAccount };
}

/**
 * Makes a folder that is missing, whatever the umask; one that exists keeps the permissions its owner gave it. It gets
 * its name last: another process that saw it before its permissions were set would choose another place for the database.
 */
async function makeFolder(folder: string, mode: number): Promise<void> {
  if (await isThere(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const draft = `${folder}.draft-${uniqueName()}`;
  await mkdir(draft);
  await chmod(draft, mode);
  try {
    await rename(draft, folder);
  } catch (error) {
    await rmdir(draft);
    if (!hasCode(error, "EEXIST", "ENOTEMPTY")) throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** The place elsewhere is named after this folder's path, so a folder that was moved would find an empty database. */
async function refuseForeignNote(folder: string, away: string | undefined): Promise<void> {
  const note = join(folder, NOTE);
  try {
    const named = (await readFile(note, "utf8")).trim();
    if (named === away || (await ownerOf(join(named, CLUSTER))) === undefined) return;
    throw new EmbeddedDatabaseError(
      "FOLDER_UNREACHABLE",
      `${folder} was moved or copied: its database lies in ${named}. To go on with that one, move ${named}/${CLUSTER} and ${named}/password into ${away ?? folder}; to begin with an empty one, remove ${note}.`,
    );
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function unreachable(cluster: string, account: Account): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    "FOLDER_UNREACHABLE",
    `The database in ${cluster} runs as the user ${account.name}, who can no longer get into that folder. Give the folders above it the x permission again (chmod o+x), or start Sluice as the user who owns them.`,
  );
}

async function chownAll(path: string, account: Account): Promise<void> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  // Last, as it is what tells the next start that the work is done.
  await lchown(path, account.uid, account.gid);
}
