// A folder of this machine, or of a disk that is mounted here.

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, rename, stat, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { transient, unavailable } from "../../engine/index.ts";
import { type Clock, systemClock } from "../../kit/index.ts";
import { errnoFault } from "../kit/index.ts";
import type { Destination, DestinationAbout, Parcel, SendOptions, Sent, SentParcel } from "./destination.ts";
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
/** A link that somebody put in the place of a part must not lead what is written elsewhere. */
const { O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

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

  async about(signal?: AbortSignal): Promise<DestinationAbout> {
    await this.#mustBeThere(signal);
    const { bavail, bsize } = await this.#try("asking for space", () => statfs(this.#root));
    return {
      ...{ kind: "folder", root: this.#root, freeBytes: bavail * bsize },
      ...{ isAtomic: true, hasSync: true, hostKey: null },
    };
  }

  async bytesAt(place: string, signal?: AbortSignal): Promise<number | null> {
    const local = this.#local(place);
    await this.#mustBeThere(signal);
    return await this.#bytes(local);
  }

  async sha256At(place: string, signal?: AbortSignal): Promise<string | null> {
    const local = this.#local(place);
    await this.#mustBeThere(signal);
    return (await this.#bytes(local)) === null ? null : await this.#hash(local, signal);
  }

  async send(parcel: Parcel, { signal, onBytes }: SendOptions = {}): Promise<Sent> {
    const part = this.#local(partPath(parcel));
    await this.#mustBeThere(signal);
    const source = await SourceFile.open(parcel.file);
    try {
      await this.#try("making its folder", () =>
        mkdir(path.join(this.#root, folderOf(parcel.to)), { recursive: true }),
      );
      const from = await this.#sameBytes(part, source);
      const flags = O_RDWR | O_CREAT | O_NOFOLLOW | (from === 0 ? O_TRUNC : 0);
      const target = await this.#try("opening the part", () => open(part, flags, 0o666));
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

  async publish({ to, id, bytes }: SentParcel, signal?: AbortSignal): Promise<void> {
    const [part, final] = [this.#local(partPath({ to, id })), this.#local(to)];
    await this.#mustBeThere(signal);
    const sent = await this.#bytes(part);
    if (sent === null && (await this.#bytes(final)) === bytes) return;
    if (sent !== bytes)
      throw transient("PART_GONE", "the part that was sent is not there as it was", { service: this.#service });
    await this.#try("naming the file", () => rename(part, final));
    await this.#try("writing the name out", async () => {
      const folder = await open(path.dirname(final), "r");
      await folder.sync().finally(() => folder.close());
    });
  }

  async remove(place: string, signal?: AbortSignal): Promise<void> {
    const local = this.#local(place);
    await this.#mustBeThere(signal);
    if ((await this.#bytes(local)) !== null) await this.#try("removing a file", () => unlink(local));
  }

  /** What is there of the part, if its end is the same as here. What lies before is compared with all the rest. */
  async #sameBytes(part: string, source: SourceFile): Promise<number> {
    const have = (await this.#bytes(part)) ?? 0;
    if (have === 0 || have > source.bytes) return 0;
    const end = Buffer.alloc(Math.min(PIECE_BYTES, have));
    const file = await this.#try("reading the part", () => open(part, constants.O_RDONLY | O_NOFOLLOW));
    await file.read(end, 0, end.byteLength, have - end.byteLength).finally(() => file.close());
    return end.equals(await source.peek(have - end.byteLength, end.byteLength)) ? have : 0;
  }

  async #copy(source: SourceFile, target: FileHandle, from: number, { signal, onBytes }: SendOptions): Promise<void> {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    if (from > 0) onBytes?.(from);
    for (let at = from; at < source.bytes; ) {
      const next = piece.subarray(0, Math.min(PIECE_BYTES, source.bytes - at));
      await this.#pace.take(next.byteLength, signal);
      signal?.throwIfAborted();
      await source.piece(at, next);
      const start = at;
      await this.#try("writing the part", () => writeAll(target, next, start));
      at += next.byteLength;
      onBytes?.(at);
    }
    signal?.throwIfAborted();
  }

  async #compared(part: string, source: SourceFile, sentBytes: number): Promise<Sent> {
    const sha256 = await source.sha256();
    if ((await this.#hash(part)) === sha256) return { bytes: source.bytes, sentBytes, sha256 };
    await this.#try("removing a wrong part", () => unlink(part));
    throw transient("WRONG_BYTES", "what was written is not what was sent", { service: this.#service });
  }

  async #hash(local: string, signal?: AbortSignal): Promise<string> {
    return await this.#try("reading a file", async () => {
      const hash = createHash("sha256");
      const file = await open(local, constants.O_RDONLY | O_NOFOLLOW);
      for await (const piece of file.createReadStream({ highWaterMark: PIECE_BYTES })) {
        signal?.throwIfAborted();
        hash.update(piece as Buffer);
      }
      return hash.digest("hex");
    });
  }

  async #mustBeThere(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const isThere = await stat(this.#root).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isThere) return;
    throw unavailable("NOT_REACHED", `there is no folder ${this.#root}. Is it mounted?`, { service: this.#service });
  }

  /** Null where nothing is. */
  async #bytes(local: string): Promise<number | null> {
    try {
      return (await lstat(local)).size;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw errnoFault(error, "looking for a file", this.#service);
    }
  }

  #local(place: string): string {
    return path.join(this.#root, ...checkedPath(place));
  }

  async #try<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw errnoFault(error, what, this.#service);
    }
  }
}

/** A disk that runs full may take half of a piece, and says so by the number alone. */
async function writeAll(target: FileHandle, piece: Buffer, at: number): Promise<void> {
  for (let done = 0; done < piece.byteLength; ) {
    const { bytesWritten } = await target.write(piece, done, piece.byteLength - done, at + done);
    done += bytesWritten;
  }
}
