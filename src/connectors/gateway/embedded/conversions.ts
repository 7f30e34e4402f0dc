// The conversions under way: each in a folder of its own, the same one for all who ask for the same, and gone when nobody does.

import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { ConversionResult } from "./convert.ts";

interface UnderWay {
  readonly folder: string;
  readonly result: Promise<ConversionResult>;
  readonly stop: AbortController;
  waiting: number;
}

/** Converts what lies in a folder. */
export type Convert = (folder: string, signal: AbortSignal) => Promise<ConversionResult>;

export class Conversions {
  readonly #root: string;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Whatever an earlier life has left. */
  async begin(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
  }

  async folder(): Promise<string> {
    const folder = path.join(this.#root, randomUUID());
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  async drop(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
  }

  /**
   * Takes over `folder`. The conversion of what lies there, or one of the same that is under way. `use` has its result; when the last one
   * who waits for it has used it or was given up, it ends and its folder goes.
   */
  async share<T>(
    { id, folder, signal }: { readonly id: string; readonly folder: string; readonly signal: AbortSignal },
    convert: Convert,
    use: (result: ConversionResult) => Promise<T>,
  ): Promise<T> {
    const work = this.#underWay.get(id) ?? this.#start(id, folder, convert);
    // Before anything is waited for: the one before may leave meanwhile, and must not be the last.
    work.waiting += 1;
    const given = Promise.withResolvers<never>();
    // Who leaves before it is waited for below is told by the signal.
    given.promise.catch(() => undefined);
    const giveUp = () => given.reject(signal.reason);
    signal.addEventListener("abort", giveUp);
    try {
      // The same was sent twice.
      if (work.folder !== folder) await this.drop(folder);
      signal.throwIfAborted();
      return await use(await Promise.race([work.result, given.promise]));
    } finally {
      signal.removeEventListener("abort", giveUp);
      work.waiting -= 1;
      if (work.waiting === 0) await this.#end(id, work);
    }
  }

  #start(id: string, folder: string, convert: Convert): UnderWay {
    const stop = new AbortController();
    const work = { folder, stop, result: convert(folder, stop.signal), waiting: 0 };
    // Whoever waits for it is told; it may be nobody by then.
    work.result.catch(() => undefined);
    this.#underWay.set(id, work);
    return work;
  }

  async #end(id: string, work: UnderWay): Promise<void> {
    this.#underWay.delete(id);
    work.stop.abort(new Error("nobody waits for it"));
    // What still writes there would leave something behind.
    await work.result.catch(() => undefined);
    await this.drop(work.folder);
  }
}
