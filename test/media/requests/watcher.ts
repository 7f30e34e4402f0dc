// Watches the shelves of the servers as a media server would: whatever is seen under a name that does not begin with a dot is read at once.
// So it is known afterwards whether anything but a whole film was ever there.

import { createHash } from "node:crypto";
import { type FSWatcher, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { basename, join } from "node:path";

export interface SeenVersion {
  readonly server: string;
  /** Below the server's root. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What the watch itself may miss is found here. */
const SWEEP_MS = 500;

export class ShelfWatcher {
  readonly versions: SeenVersion[] = [];
  readonly #shelves: ReadonlyMap<string, string>;
  readonly #watches: FSWatcher[] = [];
  /** What was read last under each name. */
  readonly #last = new Map<string, string>();
  #sweeps: NodeJS.Timeout | undefined;

  constructor(shelves: ReadonlyMap<string, string>) {
    this.#shelves = shelves;
  }

  start(): void {
    for (const [server, root] of this.#shelves)
      this.#watches.push(
        watch(root, { recursive: true }, (_, path) => {
          if (path !== null) this.#look(server, root, path);
        }),
      );
    this.#sweeps = setInterval(() => this.sweep(), SWEEP_MS);
  }

  stop(): void {
    clearInterval(this.#sweeps);
    for (const one of this.#watches) one.close();
    this.sweep();
  }

  /** All that is there. */
  sweep(): void {
    for (const [server, root] of this.#shelves) for (const path of filesBelow(root)) this.#look(server, root, path);
  }

  #look(server: string, root: string, path: string): void {
    if (basename(path).startsWith(".")) return;
    const file = join(root, path);
    try {
      const stats = statSync(file);
      if (!stats.isFile()) return;
      const version = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
      if (this.#last.get(file) === version) return;
      const bytes = readFileSync(file);
      this.#last.set(file, version);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      this.versions.push({ server, path, bytes: bytes.byteLength, sha256 });
    } catch (error) {
      // Gone again, which is seen by the next look, or by whoever misses it in the end.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}

export function filesBelow(root: string): string[] {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
}
