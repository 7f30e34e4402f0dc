// Brings the server of a data folder up, or down. Both only under the start lock.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { answers } from "./answers.ts";
import { EmbeddedDatabaseError, failureOf, hasCode } from "./error.ts";
import { notRunnable } from "./initialise.ts";
import { logPath, openLog } from "./log-file.ts";
import { choosePort } from "./port.ts";
import { clearTheWay, type Postmaster, runningPostmaster, signal } from "./postmaster-file.ts";
import { type Site, spawnAs } from "./site.ts";
import { poll } from "./wait.ts";

/** A server that was killed under load replays its log before it answers; minutes are possible, and giving up helps nobody. */
const READY_LIMIT_MS = 10 * 60_000;
const STOP_LIMIT_MS = 60_000;
const ATTEMPTS = 8;

export interface Running {
  readonly port: number;
  readonly adopted: boolean;
}

export async function bringUp(site: Site, password: string): Promise<Running> {
  let said = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const found = await runningPostmaster(site.cluster);
    if (found) {
      const port = await untilReady(site, password);
      if (port !== undefined) return { port, adopted: true };
      // It was on its way down. The next round starts one.
      continue;
    }
    await clearTheWay(site.cluster, site.sleep);
    const started = await start(site, password);
    if (typeof started === "number") return { port: started, adopted: false };
    said = started.said;
    // A server another process began before it was killed beat ours to the folder, or the port went to somebody else.
    if (!/already exists|still in use|Address already in use|could not create any TCP/.test(said)) break;
    await site.sleep(100);
  }
  throw failureOf(said || `see ${logPath(site.home)}`, site.home, "START_FAILED");
}

/** The port when it answers, what it said when it ended instead. */
async function start(site: Site, password: string): Promise<number | { said: string }> {
  site.log(`starting the database in ${site.shownAs}`);
  const log = await openLog(site.home);
  try {
    const port = await choosePort(site.home);
    const args = ["-D", site.cluster, "-p", String(port), "-c", "listen_addresses=127.0.0.1"];
    // Detached: its own session, so that Ctrl-C in our terminal does not stop it in the middle of our own stopping.
    const child = spawn(join(site.binaries.folder, "bin", "postgres"), [...args, "-c", "unix_socket_directories="], {
      ...spawnAs(site.account),
      detached: true,
      stdio: ["ignore", log.handle.fd, log.handle.fd],
    });
    await spawned(child, site);
    child.unref();
    const ready = await untilReady(site, password, child);
    return ready ?? { said: await log.tail() };
  } finally {
    await log.close();
  }
}

async function spawned(child: ChildProcess, site: Site): Promise<void> {
  try {
    await once(child, "spawn");
  } catch (error) {
    throw hasCode(error, "ENOENT") ? notRunnable(site, error) : error;
  }
}

/** Waits for the running server, or the one just spawned, to answer. Undefined when it ended instead. */
async function untilReady(site: Site, password: string, child?: ChildProcess): Promise<number | undefined> {
  let looks = 0;
  const outcome = await poll<number | "ended">(
    async () => {
      // Before it has written its file, a server just spawned is known only by not having ended.
      const ended = child ? child.exitCode !== null || child.signalCode !== null : false;
      const server: Postmaster | undefined = await runningPostmaster(site.cluster);
      if (!server && (ended || !child)) return "ended";
      looks += 1;
      if (looks === 500) site.log(`the database in ${site.shownAs} is recovering after a crash, this can take a while`);
      if (server?.port === undefined || !server.ready) return undefined;
      return (await answers(site, server.port, password)) ? server.port : undefined;
    },
    { everyMs: 10, forMs: READY_LIMIT_MS, sleep: site.sleep },
  );
  if (outcome === "ended") return undefined;
  if (outcome !== undefined) return outcome;
  throw new EmbeddedDatabaseError(
    "START_FAILED",
    `The database in ${site.home} did not answer within 10 minutes. Its log is ${logPath(site.home)}.`,
  );
}

/** A fast shutdown: open transactions are rolled back, everything committed is on the disk, nothing to recover. */
export async function bringDown(site: Site): Promise<void> {
  const server = await runningPostmaster(site.cluster);
  if (!server) return;
  const gone = async () => ((await runningPostmaster(site.cluster))?.pid === server.pid ? undefined : true);
  signal(server.pid, "SIGINT");
  if (await poll(gone, { everyMs: 10, forMs: STOP_LIMIT_MS, sleep: site.sleep })) return;
  // Immediate: no last checkpoint, so the next start replays the log. Nothing acknowledged is lost by it.
  site.log(`the database in ${site.shownAs} has not stopped for a minute and is stopped at once`);
  signal(server.pid, "SIGQUIT");
  if (await poll(gone, { everyMs: 10, forMs: STOP_LIMIT_MS, sleep: site.sleep })) return;
  throw new EmbeddedDatabaseError("STOP_FAILED", `The database in ${site.home} (process ${server.pid}) does not stop.`);
}
