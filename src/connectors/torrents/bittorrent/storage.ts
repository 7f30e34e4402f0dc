// A torrent's bytes on disk: spans of the whole → spans of files, all of them below one folder that is the torrent's own.
// Links are not followed, and nothing is opened twice.

import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import type { Metainfo, PlacedFile } from "./metainfo.ts";

const MOST_OPEN = 24;

export class Storage {
  readonly #folder: string;
  readonly #meta: Metainfo;
  readonly #open = new Map<PlacedFile, Promise<FileHandle>>();
  readonly #dirty = new Set<PlacedFile>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, meta: Metainfo) {
    this.#folder = folder;
    this.#meta = meta;
  }

  /** What somebody would look at: the file, or the folder of the files. */
  get path(): string {
    return path.join(this.#folder, this.#meta.name);
  }

  write(offset: number, data: Uint8Array): Promise<void> {
    return this.#inTurn(() => this.#write(offset, data));
  }

  /** Undefined where a file is missing or too short. */
  read(offset: number, length: number): Promise<Buffer | undefined> {
    return this.#inTurn(() => this.#read(offset, length));
  }

  /** Files of no bytes belong to no piece, so nothing else makes them. */
  makeEmptyFiles(): Promise<void> {
    const empty = this.#meta.files.filter(({ bytes, isPadding }) => bytes === 0 && !isPadding);
    return this.#inTurn(async () => {
      for (const file of empty) await this.#handle(file, true);
    });
  }

  /** What is on the disk after a power cut, too. */
  sync(): Promise<void> {
    return this.#inTurn(async () => {
      const dirty = [...this.#dirty];
      this.#dirty.clear();
      for (const file of dirty) await (await this.#open.get(file))?.datasync();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      const handles = [...this.#open.values()];
      this.#open.clear();
      for (const handle of handles) await (await handle).close();
    });
  }

  /** Its own files, and folders that are empty then. What somebody else has put there stays. */
  async remove(): Promise<void> {
    await this.close();
    const files = this.#meta.files.filter(({ isPadding }) => !isPadding);
    for (const file of files) await rm(this.#place(file), { force: true });
    const folders = new Set(
      files.flatMap(({ names }) => names.slice(0, -1).map((_, at) => names.slice(0, at + 1).join("/"))),
    );
    for (const folder of [...folders].sort((a, b) => b.split("/").length - a.split("/").length))
      await rmdir(path.join(this.#folder, folder)).catch((error: unknown) => {
        if (!["ENOENT", "ENOTEMPTY", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error;
      });
  }

  /** One after the other: what one still reads from, another might close as the oldest. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #write(offset: number, data: Uint8Array): Promise<void> {
    for (const { file, at, from, to } of this.#spans(offset, data.byteLength)) {
      const handle = await this.#handle(file, true);
      this.#dirty.add(file);
      for (let done = from; done < to; ) {
        const { bytesWritten } = await handle.write(data, done, to - done, at + done - from);
        done += bytesWritten;
      }
    }
  }

  async #read(offset: number, length: number): Promise<Buffer | undefined> {
    const data = Buffer.alloc(length);
    for (const { file, at, from, to } of this.#spans(offset, length)) {
      const handle = await this.#handle(file, false);
      if (handle === undefined) return undefined;
      for (let done = from; done < to; ) {
        const { bytesRead } = await handle.read(data, done, to - done, at + done - from);
        if (bytesRead === 0) return undefined;
        done += bytesRead;
      }
    }
    return data;
  }

  /** As far as sizes tell: every file reaches to where its last piece ends. */
  async isPlausible(hasPiece: (piece: number) => boolean): Promise<boolean> {
    const { files, pieceBytes } = this.#meta;
    for (const file of files) {
      if (file.isPadding || file.bytes === 0) continue;
      const last = Math.floor((file.offset + file.bytes - 1) / pieceBytes);
      const first = Math.floor(file.offset / pieceBytes);
      let needed = 0;
      for (let piece = last; piece >= first && needed === 0; piece -= 1)
        if (hasPiece(piece)) needed = Math.min(file.bytes, (piece + 1) * pieceBytes - file.offset);
      if (needed > 0 && (await sizeOf(this.#place(file))) < needed) return false;
    }
    return true;
  }

  async isThere(): Promise<boolean> {
    return (await sizeOf(this.path)) >= 0;
  }

  *#spans(offset: number, length: number) {
    const end = offset + length;
    for (const file of this.#meta.files) {
      if (file.offset >= end) return;
      const [start, stop] = [Math.max(offset, file.offset), Math.min(end, file.offset + file.bytes)];
      if (start >= stop || file.isPadding) continue;
      yield { file, at: start - file.offset, from: start - offset, to: stop - offset };
    }
  }

  #place(file: PlacedFile): string {
    return path.join(this.#folder, ...file.names);
  }

  #handle(file: PlacedFile, makes: true): Promise<FileHandle>;
  #handle(file: PlacedFile, makes: false): Promise<FileHandle | undefined>;
  async #handle(file: PlacedFile, makes: boolean): Promise<FileHandle | undefined> {
    const known = this.#open.get(file);
    if (known !== undefined) return await known;
    const opening = this.#openFile(file, makes);
    this.#open.set(file, opening);
    try {
      const handle = await opening;
      await this.#closeOldest();
      return handle;
    } catch (error) {
      this.#open.delete(file);
      if (!makes && codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  async #openFile(file: PlacedFile, makes: boolean): Promise<FileHandle> {
    const place = this.#place(file);
    if (makes) await this.#makeFolders(file);
    const flags = constants.O_RDWR | constants.O_NOFOLLOW | (makes ? constants.O_CREAT : 0);
    return await open(place, flags, 0o644);
  }

  /** One by one: a folder that is a link would lead the rest elsewhere. */
  async #makeFolders(file: PlacedFile): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    let folder = this.#folder;
    for (const name of file.names.slice(0, -1)) {
      folder = path.join(folder, name);
      await mkdir(folder).catch((error: unknown) => {
        if (codeOf(error) !== "EEXIST") throw error;
      });
      if (!(await lstat(folder)).isDirectory())
        throw Object.assign(new Error(`${folder} is no folder`), { code: "ENOTDIR" });
    }
  }

  async #closeOldest(): Promise<void> {
    for (const [file, handle] of this.#open) {
      if (this.#open.size <= MOST_OPEN) return;
      // One that was written to is needed for the next sync.
      if (this.#dirty.has(file)) continue;
      this.#open.delete(file);
      await (await handle).close();
    }
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT";
}

/** -1 where there is none. Links are not followed. */
async function sizeOf(place: string): Promise<number> {
  try {
    return (await lstat(place)).size;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return -1;
    throw error;
  }
}
