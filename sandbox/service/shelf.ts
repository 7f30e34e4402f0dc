// A folder that a service writes into, with a quota of its own. The limit is soft: the service counts, and refuses with ENOSPC what
// the folder has no room for, as a disk would.

import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

export interface ShelfOptions {
  readonly folder: string;
  /** None: as much as there is. */
  readonly quotaBytes?: number | undefined;
}

/** What is older is taken away, so that a demo may run for days. */
const FILES_MOST = 100;
const BALLAST = "ballast";

export class Shelf {
  readonly #folder: string;
  readonly #quotaBytes: number;

  constructor({ folder, quotaBytes = Number.POSITIVE_INFINITY }: ShelfOptions) {
    this.#folder = folder;
    this.#quotaBytes = quotaBytes;
    mkdirSync(folder, { recursive: true });
  }

  has(file: string): boolean {
    return isName(file) && existsSync(join(this.#folder, file));
  }

  put(file: string, content: Uint8Array): void {
    if (!isName(file)) throw new Error(`${JSON.stringify(file)} is no name of a file`);
    const path = join(this.#folder, file);
    writeFileSync(path, content);
    // Not this one, should the disk's clock not tell them apart.
    const others = this.#files().filter((one) => one.path !== path);
    for (const old of others.slice(0, Math.max(0, others.length + 1 - FILES_MOST))) rmSync(old.path, { force: true });
  }

  remove(file: string): void {
    if (isName(file)) rmSync(join(this.#folder, file), { force: true });
  }

  /** Whether there is room for so many bytes more. */
  hasRoom(bytes: number): boolean {
    return this.#used() + bytes <= this.#quotaBytes;
  }

  /** Up to the quota, but for what others were promised, and back. */
  fill(isFull: boolean, promised: number): void {
    const path = join(this.#folder, BALLAST);
    if (!isFull) rmSync(path, { force: true });
    if (!isFull || existsSync(path) || !Number.isFinite(this.#quotaBytes)) return;
    const size = Math.max(0, this.#quotaBytes - this.#used() - promised);
    const file = openSync(path, "w");
    ftruncateSync(file, size);
    closeSync(file);
  }

  #used(): number {
    const ballast = join(this.#folder, BALLAST);
    const files = this.#files().reduce((sum, { size }) => sum + size, 0);
    return files + (existsSync(ballast) ? statSync(ballast).size : 0);
  }

  /** Oldest first. */
  #files(): { readonly path: string; readonly size: number }[] {
    return readdirSync(this.#folder)
      .filter((name) => name !== BALLAST)
      .map((name) => {
        const path = join(this.#folder, name);
        const { size, mtimeMs } = statSync(path);
        return { path, size, mtimeMs };
      })
      .sort((a, b) => a.mtimeMs - b.mtimeMs);
  }
}

/** What comes from outside must stay in the folder. */
const isName = (file: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(file);
