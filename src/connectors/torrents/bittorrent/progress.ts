// How far a torrent has come, and what of that is on the disk.

import type { Content } from "./content.ts";
import type { StateFolder, StoredProgress } from "./state.ts";

const SEEDED_STEP_MS = 30_000;

export class Progress {
  readonly #infohash: string;
  readonly #state: StateFolder;
  receivedBytes: number;
  uploadedBytes: number;
  seededMs: number;
  isDirty = false;
  #saving: Promise<void> = Promise.resolve();

  constructor(infohash: string, state: StateFolder, stored: StoredProgress | undefined) {
    this.#infohash = infohash;
    this.#state = state;
    this.receivedBytes = stored?.receivedBytes ?? 0;
    this.uploadedBytes = stored?.uploadedBytes ?? 0;
    this.seededMs = stored?.seededMs ?? 0;
  }

  get totals() {
    const { receivedBytes, uploadedBytes, seededMs } = this;
    return { receivedBytes, uploadedBytes, seededMs };
  }

  received(bytes: number): void {
    this.receivedBytes += bytes;
    this.isDirty = true;
  }

  uploaded(bytes: number): void {
    this.uploadedBytes += bytes;
    this.isDirty = true;
  }

  /** Time alone is noted in steps: a thousand torrents that only give back would else be written all the time. */
  seeded(ms: number): void {
    const before = Math.floor(this.seededMs / SEEDED_STEP_MS);
    this.seededMs += ms;
    this.isDirty ||= Math.floor(this.seededMs / SEEDED_STEP_MS) !== before;
  }

  /** Given back, in relation to what came; of what came from elsewhere, to its size. */
  ratio(size: number): number {
    return this.uploadedBytes / Math.max(1, this.receivedBytes > 0 ? this.receivedBytes : size);
  }

  /** One after the other; resolves when what is true now is on the disk. */
  save(content: Content | undefined): Promise<void> {
    const saved = this.#saving.then(() => this.#saveNow(content));
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  /** Pieces are told to be there only once they are on the disk. */
  async #saveNow(content: Content | undefined): Promise<void> {
    if (!this.isDirty) return;
    this.isDirty = false;
    const have = content?.stored ?? null;
    try {
      await content?.sync();
      await this.#state.writeProgress(this.#infohash, { have, ...this.totals });
    } catch (error) {
      this.isDirty = true;
      throw error;
    }
  }
}
