// Small files that are there as a whole or not at all.

import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

let count = 0;

/** False where there is one already: of many who try, one succeeds. */
export function writeOnce(file: string, value: unknown): boolean {
  const written = writeBeside(file, value);
  try {
    linkSync(written, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(written, { force: true });
  }
}

export function replace(file: string, value: unknown): void {
  renameSync(writeBeside(file, value), file);
}

export function syncFile(file: string): void {
  const handle = openSync(file, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** What has a new name keeps it when the power fails. */
export function syncFolderOf(file: string): void {
  syncFile(dirname(file));
}

function writeBeside(file: string, value: unknown): string {
  count += 1;
  const name = `${file}.${process.pid}-${count}`;
  const handle = openSync(name, "w", 0o600);
  try {
    writeSync(handle, typeof value === "string" ? value : JSON.stringify(value));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return name;
}
