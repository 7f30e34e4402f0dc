// What a process has started, and what those have: as Linux tells it. Elsewhere nothing is known of them.

import { readFileSync } from "node:fs";

export function descendants(pid: number): number[] {
  const own = childrenOf(pid);
  return own.flatMap((child) => [child, ...descendants(child)]);
}

function childrenOf(pid: number): number[] {
  try {
    const told = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return told === "" ? [] : told.split(" ").map(Number);
  } catch {
    return []; // it has ended meanwhile, or this is no Linux
  }
}
