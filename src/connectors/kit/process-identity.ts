// Which process is meant. Pids are used again, within minutes on a busy machine and at once in a restarted container; a
// pid together with the moment its process started is not. Means something only on the machine that wrote it down.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ProcessIdentity {
  readonly pid: number;
  /** Compared, never computed with. */
  readonly started: string;
}

export interface ProcessState {
  readonly started: string;
  /** Ended, and only kept in the table until its parent looks. */
  readonly isZombie: boolean;
}

/** Undefined when there is no such process. Synchronous: right after a spawn the entry cannot be gone yet. */
export function processState(pid: number): ProcessState | undefined {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): ProcessState | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const parsed = parseStat(stat);
  // Counted from the start of the machine, so the same number may come again after the next one.
  return parsed && { ...parsed, started: `${parsed.started}@${bootId()}` };
}

/** Fields count from behind the last ")": the program's name before it may hold spaces and brackets of its own. */
export function parseStat(stat: string): ProcessState | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  const started = fields[19]; // field 22 of the whole line
  if (started === undefined) return undefined;
  return { started, isZombie: state === "Z" || state === "X" };
}

let boot: string | undefined;

function bootId(): string {
  // Some sandboxes have /proc without this file.
  boot ??= readProc("/proc/sys/kernel/random/boot_id")?.trim() ?? "none";
  return boot;
}

function fromPs(pid: number): ProcessState | undefined {
  const { stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8", timeout: 10_000 });
  const [stat, ...started] = (stdout ?? "").trim().split(/\s+/);
  if (!stat || started.length === 0) return undefined;
  return { started: started.join("_"), isZombie: stat.startsWith("Z") };
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // ENOENT, ESRCH: gone. Anything else about a process we started and may signal leaves us as wise.
    return undefined;
  }
}

/** Whether this very process still runs. Another one with its pid does not count, and neither does a zombie. */
export function findProcess(identity: ProcessIdentity): "alive" | "gone" {
  const state = processState(identity.pid);
  return state !== undefined && !state.isZombie && state.started === identity.started ? "alive" : "gone";
}

export interface Survivors<Recorded> {
  readonly alive: readonly Recorded[];
  readonly gone: readonly Recorded[];
}

/** At start: which of the processes an earlier life wrote down are still there. */
export function findSurvivors<Recorded extends ProcessIdentity>(recorded: readonly Recorded[]): Survivors<Recorded> {
  const alive = recorded.filter((identity) => findProcess(identity) === "alive");
  return { alive, gone: recorded.filter((identity) => !alive.includes(identity)) };
}
