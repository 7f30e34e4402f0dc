// What lies below a folder of this machine, looked at and tampered with without any client.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import type { SmallDisk } from "../../src/connectors/index.ts";

export const SMALL_BYTES = 8 * 1024 * 1024;

export class FolderOnDisk {
  readonly root: string;
  #isMounted = false;

  constructor(root: string) {
    this.root = root;
  }

  readonly there = (path: string): Uint8Array | null => {
    const local = join(this.root, path);
    return existsSync(local) ? readFileSync(local) : null;
  };

  readonly put = (path: string, content: Uint8Array): void => {
    const local = join(this.root, path);
    this.#folder(dirname(local));
    writeFileSync(local, content);
    this.#give(local);
  };

  readonly paths = (): readonly string[] =>
    readdirSync(this.root, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)));

  readonly smallDisk = async (): Promise<SmallDisk> => {
    const folder = join(this.root, "small");
    const filler = join(folder, "filler");
    this.#folder(folder);
    // Only root may do that. Nobody else could show that a full disk is understood.
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SMALL_BYTES}`, "tmpfs", folder]);
    this.#isMounted = true;
    this.#give(folder);
    return {
      folder: "small/",
      fill: () => fill(filler),
      free: () => rmSync(filler),
    };
  };

  /** For whoever is not root. */
  readOnly(isReadOnly: boolean): void {
    const folders = readdirSync(this.root, { withFileTypes: true, recursive: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const all = [this.root, ...folders.map((entry) => join(entry.parentPath, entry.name))];
    for (const folder of all) chmodSync(folder, isReadOnly ? 0o555 : 0o755);
  }

  empty(): void {
    // A server whose visitor left a moment ago may still have a file of it open.
    if (this.#isMounted) execFileSync("umount", ["--lazy", join(this.root, "small")]);
    this.#isMounted = false;
    for (const name of readdirSync(this.root)) rmSync(join(this.root, name), { recursive: true });
  }

  #folder(folder: string): void {
    if (existsSync(folder)) return;
    this.#folder(dirname(folder));
    mkdirSync(folder);
    this.#give(folder);
  }

  /** To whom the root belongs. */
  #give(path: string): void {
    const { uid, gid } = statSync(this.root);
    chownSync(path, uid, gid);
  }
}

function fill(filler: string): void {
  const piece = Buffer.alloc(64 * 1024);
  try {
    for (let at = 0; at <= SMALL_BYTES; at += piece.byteLength) writeFileSync(filler, piece, { flag: "a" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return;
    throw error;
  }
  throw new Error("the small disk is larger than it should be");
}
