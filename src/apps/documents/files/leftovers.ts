// What was being written when its process died: nobody will go on with it, and after a day it is removed.

import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { incomingFolder, type Places } from "./places.ts";

/** Longer than any upload or conversion may take. */
const LEFT_MS = 24 * 3_600_000;

export async function removeLeftovers(places: Places, now: Date): Promise<number> {
  let removed = 0;
  for (const kind of ["source", "result"] as const) {
    const folder = incomingFolder(places, kind);
    for (const name of await namesIn(folder)) {
      const file = path.join(folder, name);
      const touched = await touchedAt(file);
      if (touched === undefined || now.getTime() - touched < LEFT_MS) continue;
      await rm(file, { force: true });
      removed += 1;
    }
  }
  return removed;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await unlessGone(() => readdir(folder))) ?? [];
}

async function touchedAt(file: string): Promise<number | undefined> {
  return (await unlessGone(() => stat(file)))?.mtimeMs;
}

/** Another process may have been faster, or the folder was never made. */
async function unlessGone<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
