// Processes by what they were called with: as Linux tells it. Elsewhere nothing is known of them.

import { readdirSync, readFileSync } from "node:fs";

/** Those whose command line has each of these in it. */
export function calledWith(...texts: readonly string[]): number[] {
  const isMeant = (pid: string) => texts.every((text) => commandOf(pid).includes(text));
  return pids().filter(isMeant).map(Number);
}

function pids(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // this is no Linux
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended meanwhile
  }
}
