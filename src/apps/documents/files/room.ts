// Room on the disk, kept before anything is written: what is being received right now will need it, too, and is not on the disk yet. Of this
// process alone; what other servers receive is seen as it is written, and `UPLOAD_MIN_FREE_MB` is there for it.

import { mkdir, statfs } from "node:fs/promises";
import { SluiceError } from "../../../engine/index.ts";
import type { Places } from "./places.ts";

const NO_ROOM =
  "The server's disk is nearly full, so nothing can be uploaded right now. What is there already goes on.";

export interface RoomOptions {
  readonly places: Places;
  /** So much is to stay free, whatever is uploaded. */
  readonly leastBytes: number;
  readonly freeIn?: (folder: string) => Promise<number>;
}

export class Room {
  readonly #folders: readonly string[];
  readonly #least: number;
  readonly #freeIn: (folder: string) => Promise<number>;
  #kept = 0;

  constructor({ places, leastBytes, freeIn = freeOnDisk }: RoomOptions) {
    this.#folders = [places.uploads, places.results];
    this.#least = leastBytes;
    this.#freeIn = freeIn;
  }

  /** Why nothing may be uploaded now; null where there is room. */
  async refusal(): Promise<string | null> {
    return (await this.#free()) - this.#kept < this.#least ? NO_ROOM : null;
  }

  /** With so much kept until it is over: by then it is on the disk, or will never be. Refused where there is not as much. */
  async keep<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const free = await this.#free();
    // From here to where it is kept nobody comes in between.
    if (free - this.#kept - bytes < this.#least) throw new SluiceError("IO_ERROR", NO_ROOM);
    this.#kept += bytes;
    try {
      return await work();
    } finally {
      this.#kept -= bytes;
    }
  }

  async #free(): Promise<number> {
    return Math.min(...(await Promise.all(this.#folders.map((folder) => this.#freeIn(folder)))));
  }
}

async function freeOnDisk(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
