// PostgreSQL refuses to run as root. So that `npm test` and `sluice up` work as root all the same, it runs as a user of its own.
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { EmbeddedDatabaseError, hasCode } from "./error.ts";
import type { Account } from "./site.ts";
import { poll, type Sleep } from "./wait.ts";

const run = promisify(execFile);
const NAME = "sluice";

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user `sluice`, made when it is missing. Not `nobody`: other daemons share that one and could read the data. */
export async function dedicatedAccount(sleep: Sleep): Promise<Account> {
  const existing = await lookUp();
  if (existing) return existing;
  let refusal: unknown;
  const made = await poll(
    async () => {
      try {
        const options = ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"];
        await run("useradd", [...options, "--shell", "/usr/sbin/nologin", NAME], { timeout: 30_000 });
      } catch (error) {
        // Somebody else may be making it at this moment (useradd locks /etc/passwd): what counts is whether it is there.
        refusal = error;
      }
      return lookUp();
    },
    { everyMs: 200, forMs: 3_000, sleep },
  );
  if (made) return made;
  throw new EmbeddedDatabaseError(
    "NO_ACCOUNT",
    `PostgreSQL refuses to run as root, and the system user "${NAME}" could not be made. Make it by hand (useradd --system ${NAME}), start Sluice as an ordinary user, or set DATABASE_URL.`,
    { cause: refusal },
  );
}

async function lookUp(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, NAME], { timeout: 10_000 })).stdout)),
    );
    if (uid === undefined || gid === undefined || uid === 0) return undefined;
    return { name: NAME, uid, gid };
  } catch (error) {
    // id ends with 1 when there is no such user.
    if (error instanceof Error && "code" in error && error.code === 1) return undefined;
    throw error;
  }
}

/** The owner of an existing database, when that is not root: what an ordinary user began, root goes on with as that user. */
export async function ownerOf(cluster: string): Promise<Account | "root" | undefined> {
  try {
    const { uid, gid } = await stat(cluster);
    return uid === 0 ? "root" : { name: `with id ${uid}`, uid, gid };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether the account can get into a folder: it needs the x permission on it and on every folder above. */
export async function mayTraverse(folder: string, account: Account): Promise<boolean> {
  const { mode, uid, gid } = await stat(folder);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const above = dirname(folder);
  return above === folder || mayTraverse(above, account);
}
