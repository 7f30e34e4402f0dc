// The first start: initdb into a folder beside the real one, which then gets its name. A process killed in the middle
// leaves only a folder that the next start throws away, never half a database.
import { execFile } from "node:child_process";
import { chown, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { newPassword, uniqueName } from "./chance.ts";
import { EmbeddedDatabaseError, failureOf, hasCode } from "./error.ts";
import { type Site, spawnAs } from "./site.ts";

const run = promisify(execFile);
const MAKING = "making-";
const INITDB_LIMIT_MS = 5 * 60_000;
export const SUPERUSER = "sluice";

/** Durability stays at PostgreSQL's defaults: fsync, full_page_writes and synchronous_commit are on. */
const SETTINGS = [
  "max_connections=100",
  "shared_buffers=128MB",
  // A writer that never ends its transaction holds back vacuum and the feed's cursor.
  "idle_in_transaction_session_timeout=60s",
  // A query of a process that was killed ends instead of running on for nobody.
  "client_connection_check_interval=10s",
  // Short statements only; compiling them costs more than it gains.
  "jit=off",
  "log_checkpoints=off",
  "log_line_prefix=%m [%p] ",
  "timezone=UTC",
  "log_timezone=UTC",
];

export async function initialise(site: Site): Promise<void> {
  site.log(`preparing a database in ${site.shownAs} (first start, about a second)`);
  await removeUnfinished(site.home);
  const making = join(site.home, `${MAKING}${uniqueName()}`);
  const password = newPassword();
  try {
    await mkdir(making, { mode: 0o700 });
    const passwordFile = join(making, "password");
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (site.account) {
      await chown(passwordFile, site.account.uid, site.account.gid);
      await chown(making, site.account.uid, site.account.gid);
    }
    await initdb(site, join(making, "postgres"), passwordFile);
    // The password first: a database whose password nobody knows would need a hand.
    await keepPassword(site.home, password);
    await rename(join(making, "postgres"), site.cluster);
    await syncFolder(site.home);
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) throw inTheWay(site, error);
    if (!hasCode(error, "ENOSPC", "EDQUOT")) throw error;
    throw failureOf("No space left on device", site.home, "INITIALISE_FAILED");
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function initdb(site: Site, target: string, passwordFile: string): Promise<void> {
  const args = [`--pgdata=${target}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  args.push("--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions");
  for (const setting of SETTINGS) args.push("--set", setting);
  try {
    await run(join(site.binaries.folder, "bin", "initdb"), args, {
      ...spawnAs(site.account),
      timeout: INITDB_LIMIT_MS,
      killSignal: "SIGKILL",
      maxBuffer: 1 << 20,
    });
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw notRunnable(site, error);
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    throw failureOf(said, site.home, "INITIALISE_FAILED");
  }
}

/** The file is there (it was looked for), so what is missing is the C library it was built for. */
export function notRunnable(site: Site, cause: unknown): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    "BINARIES_MISSING",
    `The programs in ${site.binaries.folder} do not run on this system; they need glibc (Alpine has another C library). Set DATABASE_URL to a PostgreSQL of your own.`,
    { cause },
  );
}

function inTheWay(site: Site, cause: unknown): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    "INITIALISE_FAILED",
    `${site.cluster} is there but holds no database (it has no file PG_VERSION). Move it away, or name another folder.`,
    { cause },
  );
}

async function keepPassword(home: string, password: string): Promise<void> {
  const draft = join(home, `${MAKING}password-${uniqueName()}`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${password}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(home, "password"));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Retried, since the initdb of a killed process may still be writing there. */
async function removeUnfinished(home: string): Promise<void> {
  const unfinished = (await readdir(home)).filter((name) => name.startsWith(MAKING));
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };
  await Promise.all(unfinished.map((name) => rm(join(home, name), options)));
}
