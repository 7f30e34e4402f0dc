// postmaster.pid, in which a running PostgreSQL says who it is, on which port, and how far it has come.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "./error.ts";
import { isServerIn, serversIn } from "./process-identity.ts";
import { poll, type Sleep } from "./wait.ts";

export interface Postmaster {
  readonly pid: number;
  /** Undefined while it is still being written. */
  readonly port: number | undefined;
  readonly ready: boolean;
}

/** Lines: pid, data folder, start time, port, socket folder, address, shared memory, status. The file grows line by line. */
export function parsePostmaster(text: string): Postmaster | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!lines[0] || !Number.isInteger(pid)) return undefined;
  const port = lines[3] ? Number(lines[3]) : undefined;
  return { pid: Math.abs(pid), port, ready: lines[7] === "ready" };
}

async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  try {
    return parsePostmaster(await readFile(join(cluster, "postmaster.pid"), "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The server that runs on this data folder now, if one does: the file may be left from one that was killed. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const named = await readPostmaster(cluster);
  return named && (await isServerIn(named.pid, cluster)) ? named : undefined;
}

/**
 * Before a start, when no server runs. PostgreSQL clears up after a killed one by itself, but for two cases:
 * backends that outlived their server (they end when they next look, a busy one much later) keep its shared memory in use;
 * and a file whose pid now belongs to somebody else, or to a zombie, makes it refuse ("is another postmaster running?").
 */
export async function clearTheWay(cluster: string, sleep: Sleep): Promise<void> {
  const gone = async () => ((await serversIn(cluster)).length === 0 ? true : undefined);
  if (!(await poll(gone, { everyMs: 20, forMs: 2_000, sleep }))) {
    // Nothing they could still do counts: what they had not committed can no longer be acknowledged through a dead server.
    for (const pid of await serversIn(cluster)) signal(pid, "SIGKILL");
    await poll(gone, { everyMs: 20, forMs: 5_000, sleep });
  }
  const left = await readPostmaster(cluster);
  if (left && signal(left.pid, 0) && !(await isServerIn(left.pid, cluster))) {
    await rm(join(cluster, "postmaster.pid"), { force: true });
  }
}

/** False when there is no such process. */
export function signal(pid: number, what: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, what);
    return true;
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
    // Signal 0 asks only whether the pid is taken, and it is: by somebody else.
    if (what === 0 && hasCode(error, "EPERM")) return true;
    throw error;
  }
}
