// A whole file gets its name in one step, and is on the disk by then: the file was synced before, its folder is synced after.

import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";

/** What has that name already has the same bytes, and is replaced by them. */
export async function publish(from: string, to: string): Promise<void> {
  const folder = path.dirname(to);
  if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(path.dirname(folder));
  await rename(from, to);
  await syncFolder(folder);
}

/** Gone already is as good. */
export async function unpublish(file: string): Promise<void> {
  await rm(file, { force: true });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
