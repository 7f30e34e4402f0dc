// npm packages cannot hold symbolic links, so the libraries' short names (libpq.so.5 → libpq.so.5.18) are made by an
// install script. Where install scripts are off, and that is becoming npm's default, they are missing: we make them.
import { lstat, readFile, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { hasCode } from "./error.ts";

export interface LibraryLink {
  /** Both relative to the folder with bin/, lib/ and share/. */
  readonly file: string;
  readonly link: string;
}

/** Reads pg-symlinks.json, whose paths begin with `native/`. A platform without that list needs no links. */
export function parseLinks(json: string): LibraryLink[] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw new Error("pg-symlinks.json is not a list.");
  return parsed.map((entry: unknown) => {
    if (
      typeof entry === "object" &&
      entry !== null &&
      "source" in entry &&
      "target" in entry &&
      typeof entry.source === "string" &&
      typeof entry.target === "string"
    ) {
      return { file: relative("native", entry.source), link: relative("native", entry.target) };
    }
    throw new Error("pg-symlinks.json has an entry without source and target.");
  });
}

export async function missingLinks(folder: string): Promise<LibraryLink[]> {
  const links = await readLinks(folder);
  const there = await Promise.all(links.map(({ link }) => exists(join(folder, link))));
  return links.filter((_, index) => !there[index]);
}

export async function linkLibraries(folder: string, links: readonly LibraryLink[]): Promise<void> {
  for (const { file, link } of links) {
    try {
      await symlink(relative(dirname(link), file) || basename(file), join(folder, link));
    } catch (error) {
      // Another process, of another data folder, mended it at the same moment.
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
}

async function readLinks(folder: string): Promise<LibraryLink[]> {
  try {
    return parseLinks(await readFile(join(folder, "pg-symlinks.json"), "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
