// A folder of this machine, or of a disk that is mounted here.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, rename, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { permanent, transient, unavailable } from "../../engine/index.ts";
import { type Clock, systemClock } from "../../kit/index.ts";
import { errnoFault } from "../kit/index.ts";
import type { Destination, Parcel, SendOptions, Sent, SentParcel } from "./destination.ts";
import { Pace } from "./pace.ts";
import { checkedPath, folderOf, partPath } from "./places.ts";
import { SourceFile } from "./source-file.ts";

export interface FolderOptions {
  readonly service: string;
  /** It has to be there: a disk that is not mounted must not be written under. */
  readonly root: string;
  readonly bytesPerSecond?: number | null;
  readonly clock?: Clock;
}

const PIECE_BYTES = 1024 * 1024;

export function folderDestination(options: FolderOptions): Destination {
  return new Folder(options);
}

class Folder implements Destination {
  readonly #root: string;
  readonly #service: string;
  readonly #pace: Pace;

  constructor({ root, service, bytesPerSecond = null, clock = systemClock }: FolderOptions) {
    this.#root = path.resolve(root);
    this.#service = service;
    this.#pace = new Pace(bytesPerSecond, clock);
  }

  async about() {
    await this.#mustBeThere();
    const { bavail, bsize } = await this.#try("asking for space", () => statfs(this.#root));
    return {
      ...{ kind: "folder" as const, root: this.#root, freeBytes: bavail * bsize },
      ...{ isAtomic: true, hasSync: true, hostKey: null },
    };
  }

  async bytesAt(place: string): Promise<number | null> {
    await this.#mustBeThere();
    const found = await this.#find(this.#local(place));
    return found === null ? null : found.size;
  }

  async send(parcel: Parcel, { signal, onBytes }: SendOptions = {}): Promise<Sent> {
    await this.#mustBeThere();
    const part = this.#local(partPath(parcel));
    await this.#folderFor(parcel.to);
    const source = await SourceFile.open(parcel.file);
    try {
      const from = await this.#startOf(part, source);
      const target = await this.#try("opening the part", () => open(part, from === 0 ? "w" : "r+"));
      try {
        await this.#copy(source, target, from, { signal, onBytes });
        await this.#try("writing the part out", () => target.sync());
      } finally {
        await target.close();
      }
      return await this.#compared(part, source, source.bytes - from);
    } finally {
      await source.close();
    }
  }

  async publish({ to, id, bytes }: SentParcel): Promise<void> {
    await this.#mustBeThere();
    const [part, final] = [this.#local(partPath({ to, id })), this.#local(to)];
    if ((await this.#find(part)) === null) {
      if ((await this.#find(final))?.size === bytes) return;
      throw transient("PART_GONE", "the part that was sent is not there any more", { service: this.#service });
    }
    await this.#try("naming the file", () => rename(part, final));
    const folder = await open(path.dirname(final), "r");
    await folder.sync().finally(() => folder.close());
  }

  async remove(place: string): Promise<void> {
    await this.#mustBeThere();
    const local = this.#local(place);
    if ((await this.#find(local)) !== null) await this.#try("removing a file", () => unlink(local));
  }

  /** What is there of the part, whole pieces of it, as far as the last of them is the same as here. */
  async #startOf(part: string, source: SourceFile): Promise<number> {
    const have = Math.min((await this.#find(part))?.size ?? 0, source.bytes);
    if (have === 0) return 0;
    const length = Math.min(PIECE_BYTES, have);
    const there = Buffer.alloc(length);
    const file = await this.#try("reading the part", () => open(part, "r"));
    await file.read(there, 0, length, have - length).finally(() => file.close());
    return there.equals(await source.peek(have - length, length)) ? have : 0;
  }

  async #copy(source: SourceFile, target: FileHandle, from: number, { signal, onBytes }: SendOptions): Promise<void> {
    for (let at = from; at < source.bytes; ) {
      signal?.throwIfAborted();
      const length = Math.min(PIECE_BYTES, source.bytes - at);
      await this.#pace.take(length, signal);
      const piece = await source.piece(at, length);
      await this.#try("writing the part", () => target.write(piece, 0, length, at));
      at += length;
      onBytes?.(at);
    }
  }

  async #compared(part: string, source: SourceFile, sentBytes: number): Promise<Sent> {
    const sha256 = await source.sha256();
    const hash = createHash("sha256");
    for await (const piece of createReadStream(part)) hash.update(piece as Buffer);
    if (hash.digest("hex") === sha256) return { bytes: source.bytes, sentBytes, sha256 };
    await unlink(part);
    throw transient("WRONG_BYTES", "what was written is not what was sent", { service: this.#service });
  }

  async #mustBeThere(): Promise<void> {
    const found = await this.#find(this.#root);
    if (found !== null && (await this.#try("looking for the folder", () => realpath(this.#root)))) return;
    throw unavailable("NOT_REACHED", `there is no folder ${this.#root}: is it mounted?`, { service: this.#service });
  }

  async #folderFor(to: string): Promise<void> {
    await this.#try("making its folder", () => mkdir(path.join(this.#root, folderOf(to)), { recursive: true }));
  }

  async #find(local: string) {
    try {
      return await lstat(local);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw errnoFault(error, "looking for a file", this.#service);
    }
  }

  #local(place: string): string {
    const local = path.join(this.#root, ...checkedPath(place));
    if (local.startsWith(`${this.#root}${path.sep}`) || this.#root === path.sep) return local;
    throw permanent("PERMISSION_DENIED", "that is not below the folder", { service: this.#service, breaker: "none" });
  }

  async #try<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw errnoFault(error, what, this.#service);
    }
  }
}
