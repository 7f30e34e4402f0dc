// What outlives the process: for each torrent a record, what it is of, and how far it has come. Each is a file that is replaced as a
// whole, and on the disk before anybody is told that it is.

import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { codeOf } from "./storage.ts";

const Record = z.object({
  infohash: z.string().regex(/^[0-9a-f]{40}$/),
  /** What a magnet link called it. */
  name: z.string().nullable(),
  trackers: z.array(z.string()),
  tags: z.array(z.string()),
  isOurs: z.boolean(),
  folder: z.string(),
  isPaused: z.boolean(),
  /** In the order of arrival. */
  number: z.number(),
  /** It is being removed; a process that ended amid that goes on with it. */
  leaving: z.object({ withFiles: z.boolean() }).nullable(),
});
const Progress = z.object({
  /** Pieces that were right and are on the disk, base 64; null before it is known of how many. */
  have: z.string().nullable(),
  receivedBytes: z.number(),
  uploadedBytes: z.number(),
  seededMs: z.number(),
});

export type StoredTorrent = Readonly<z.infer<typeof Record>>;
export type StoredProgress = Readonly<z.infer<typeof Progress>>;

export interface Loaded {
  readonly record: StoredTorrent;
  readonly info: Buffer | undefined;
  readonly progress: StoredProgress | undefined;
}

export class StateFolder {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  /** What cannot be read is told and left where it is: it may be somebody's download. */
  async load(broken: (file: string, error: unknown) => void): Promise<readonly Loaded[]> {
    const found: Loaded[] = [];
    for (const file of await readdir(this.folder)) {
      const infohash = /^([0-9a-f]{40})\.json$/.exec(file)?.[1];
      if (infohash === undefined) continue;
      try {
        const record = Record.parse(JSON.parse(await readFile(path.join(this.folder, file), "utf8")));
        const info = await this.#readIfThere(`${infohash}.info`);
        const text = await this.#readIfThere(`${infohash}.progress`);
        const progress = text === undefined ? undefined : Progress.parse(JSON.parse(text.toString("utf8")));
        found.push({ record, info, progress });
      } catch (error) {
        broken(file, error);
      }
    }
    return found.sort((a, b) => a.record.number - b.record.number);
  }

  writeRecord(record: StoredTorrent): Promise<void> {
    return this.#replace(`${record.infohash}.json`, JSON.stringify(record));
  }

  writeInfo(infohash: string, info: Uint8Array): Promise<void> {
    return this.#replace(`${infohash}.info`, info);
  }

  writeProgress(infohash: string, progress: StoredProgress): Promise<void> {
    return this.#replace(`${infohash}.progress`, JSON.stringify(progress));
  }

  /** The record last: as long as it is there, whoever comes next knows what to remove. */
  async remove(infohash: string): Promise<void> {
    for (const ending of ["progress", "info", "json"])
      await rm(path.join(this.folder, `${infohash}.${ending}`), { force: true });
    await this.#syncFolder();
  }

  async #readIfThere(file: string): Promise<Buffer | undefined> {
    try {
      return await readFile(path.join(this.folder, file));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  async #replace(file: string, data: string | Uint8Array): Promise<void> {
    const place = path.join(this.folder, file);
    const handle = await open(`${place}.new`, "w", 0o600);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${place}.new`, place);
    await this.#syncFolder();
  }

  async #syncFolder(): Promise<void> {
    const handle = await open(this.folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
