// One process for one folder: two would write over each other.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { SluiceError } from "../../../kit/index.ts";
import { findProcess, type ProcessIdentity } from "../../kit/index.ts";
import { codeOf } from "./storage.ts";

export async function takeLock(folder: string, self: ProcessIdentity): Promise<void> {
  const file = path.join(folder, "lock");
  const holder = await readHolder(file);
  const isOther = holder !== undefined && (holder.pid !== self.pid || holder.started !== self.started);
  if (isOther && findProcess(holder) === "alive")
    throw new SluiceError(
      "FOLDER_IN_USE",
      `process ${holder.pid} keeps the torrents of ${path.dirname(folder)} already`,
    );
  await writeFile(file, JSON.stringify(self), { mode: 0o600 });
}

async function readHolder(file: string): Promise<ProcessIdentity | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value !== "object" || value === null || !("pid" in value) || !("started" in value)) return undefined;
    return { pid: Number(value.pid), started: String(value.started) };
  } catch (error) {
    // A file that was cut off says nothing of who holds it; whoever wrote it has died doing so.
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
