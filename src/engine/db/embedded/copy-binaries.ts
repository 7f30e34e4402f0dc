// A copy of the PostgreSQL programs where the account that runs them can read them, made once per version.
import { chmod, cp, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { uniqueName } from "./chance.ts";
import { hasCode } from "./error.ts";
import { linkLibraries, missingLinks } from "./library-links.ts";
import type { Binaries } from "./site.ts";

export async function copyBinaries(
  from: Binaries,
  target: string,
  why: string,
  log: (line: string) => void,
): Promise<Binaries> {
  const copy = { folder: target, version: from.version };
  if (await isFolder(target)) return copy;
  log(`copying PostgreSQL ${from.version} to ${target} (once): ${why}`);
  const draft = `${target}.draft-${uniqueName()}`;
  try {
    await mkdir(dirname(target), { recursive: true });
    // Static libraries and build files are a sixth of it and of no use here.
    const filter = (source: string) => !source.endsWith(".a") && !source.endsWith("/pkgconfig");
    await cp(from.folder, draft, { recursive: true, verbatimSymlinks: true, filter });
    // Before the links: a folder copied from a read-only one is read-only too.
    await openToAll(draft);
    await linkLibraries(draft, await missingLinks(draft));
    await rename(draft, target);
  } catch (error) {
    // Another process, of another data folder, was quicker; its copy is as good.
    if (!hasCode(error, "EEXIST", "ENOTEMPTY")) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return copy;
}

/** Readable by everybody whatever the umask, and on the disk before it gets its name: it is never looked at again. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    if (!entry.isFile()) continue;
    const file = await open(path, "r");
    try {
      const executable = ((await file.stat()).mode & 0o100) !== 0;
      await file.chmod(executable ? 0o755 : 0o644);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
