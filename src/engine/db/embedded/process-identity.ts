// Which process is meant. A pid alone is not an answer: pids are reused, within minutes on a busy machine and at once
// in a container that restarts. A pid together with the moment its process started, within one boot, is.
import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { hasCode } from "./error.ts";

const run = promisify(execFile);

export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
}

export function formatIdentity(identity: ProcessIdentity): string {
  return `${identity.pid} ${identity.started} ${identity.boot}\n`;
}

/** Undefined for anything that is not whole: a file cut short by a power loss, for example. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const match = /^(\d+) (\S+) (\S+)\n$/.exec(text);
  if (!match?.[1] || !match[2] || !match[3]) return undefined;
  return { pid: Number(match[1]), started: match[2], boot: match[3] };
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const started = await startOf(process.pid);
  if (started === undefined) throw new Error(`Cannot find out when process ${process.pid} (this one) started.`);
  return { pid: process.pid, started, boot: await bootId() };
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (identity.boot !== (await bootId())) return false;
  return (await startOf(identity.pid)) === identity.started;
}

/** When a process started, as text to compare; undefined when there is none, or only a zombie nobody has reaped. */
export async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== "linux") return startByPs(pid);
  const stat = await readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  return parseStat(stat);
}

/** Fields count from behind the last ")": the program's name before it may hold spaces and brackets of its own. */
export function parseStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  // A killed process that nobody has reaped (a container whose first process does not) stays in the table for ever.
  if (state === "Z" || state === "X") return undefined;
  return fields[19];
}

async function startByPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { timeout: 10_000 });
    const [stat, ...lstart] = stdout.trim().split(/\s+/);
    return stat === undefined || stat.startsWith("Z") ? undefined : lstart.join("_");
  } catch (error) {
    // ps ends with 1 when there is no such process.
    if (error instanceof Error && "code" in error && error.code === 1) return undefined;
    throw error;
  }
}

let boot: string | undefined;

async function bootId(): Promise<string> {
  // Elsewhere than on Linux the start is a date and needs no boot beside it. Some sandboxes have /proc without this file.
  boot ??= (await readProc("/proc/sys/kernel/random/boot_id"))?.trim() || "none";
  return boot;
}

/** The processes named `postgres` that work in this folder: PostgreSQL makes its data folder the working folder. */
export async function serversIn(cluster: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const working = await Promise.all(pids.map(async (pid) => ((await isServerIn(pid, cluster)) ? pid : undefined)));
  return working.filter((pid) => pid !== undefined);
}

export async function isServerIn(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== "linux") return isServerByPs(pid, cluster);
  try {
    // The working folder, not the command line: it stays right when somebody renames the folder under a running server.
    if ((await readlink(`/proc/${pid}/cwd`)) !== cluster) return false;
  } catch (error) {
    // EACCES: another user's process, so not one we could have started. ENOENT, ESRCH: gone, or a zombie.
    if (hasCode(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return false;
    throw error;
  }
  return (await readProc(`/proc/${pid}/comm`))?.trim() === "postgres";
}

async function isServerByPs(pid: number, cluster: string): Promise<boolean> {
  if ((await startByPs(pid)) === undefined) return false;
  const { stdout } = await run("ps", ["-ww", "-o", "command=", "-p", String(pid)], { timeout: 10_000 });
  return stdout.includes(`-D ${cluster} `);
}

async function readProc(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ESRCH")) return undefined;
    throw error;
  }
}
