// The processes of a run that are there: those that were given its folder, by what they were called with or told.

import { readdirSync, readFileSync } from "node:fs";

/** Without this one. Nothing where there is no /proc. */
export function processesOf(folder: string): readonly string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids.flatMap((pid) => {
    const [called, told] = [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)];
    return called.includes(folder) || told.includes(folder) ? [`${pid} ${called.replaceAll("\0", " ")}`] : [];
  });
}

/** Of what encodes: a runner, or its ffmpeg. */
export const encodingProcesses = (folder: string): readonly string[] =>
  processesOf(folder).filter((one) => / -progress |\/runner\//.test(one));

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // it has ended meanwhile, or is none of ours
  }
}
