// The encoder of this machine. Each job is a folder and a runner, a process that goes on without us; whoever opens the same folder next
// finds it again, and there may be several of us at a time.

import { rmSync } from "node:fs";
import { type Fault, permanent, transient } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import { errnoFault, findProcess, type Listed, reap } from "../kit/index.ts";
import { type Abilities, abilitiesOf } from "./about.ts";
import { type Confinement, confineFfmpeg } from "./confine.ts";
import type { EncodeOrder, Encoder, SeenEncode } from "./encoder.ts";
import { type EncodeLimits, partOf } from "./job.ts";
import { type JobFolder, JobFolders } from "./job-folder.ts";
import { checkedOrder, isPath } from "./order.ts";
import { startRunner } from "./runner/start.ts";
import { bury, seenOf } from "./seen.ts";

export interface FfmpegEncoderOptions {
  /** Where jobs have their folders; on a disk of this machine, and its own. */
  readonly work: string;
  /** Default: those of the PATH. */
  readonly ffmpeg?: string;
  readonly ffprobe?: string;
  /** How many jobs are meant to run at a time. Default 5. */
  readonly slots?: number;
  readonly limits?: Partial<EncodeLimits & { readonly memoryBytes: number | null }>;
  /** How often ffmpeg says how far it is. Default 2 s. */
  readonly progressMs?: number;
  /** How long what has ended can still be asked for. Default 7 days. */
  readonly keepMs?: number;
  readonly service?: string;
}

export interface FfmpegEncoder extends Encoder {
  /** At start: ends what was left behind, and forgets what has long ended. What goes on is adopted by its key. */
  recover(): Promise<Recovered>;
}

export interface Recovered {
  /** Jobs that went on without us. */
  readonly alive: readonly string[];
  /** Jobs whose runner is gone without a result. */
  readonly lost: readonly string[];
  readonly forgotten: readonly string[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const ENCODE_LIMITS: EncodeLimits & { readonly memoryBytes: number | null } = {
  wallMs: 2 * DAY_MS,
  outputBytes: 500_000_000_000,
  niceness: 10,
  threads: null,
  memoryBytes: null,
};

export function ffmpegEncoder(options: FfmpegEncoderOptions): FfmpegEncoder {
  return new LocalEncoder(options);
}

class LocalEncoder implements FfmpegEncoder {
  readonly #options: Required<Omit<FfmpegEncoderOptions, "limits">>;
  readonly #limits: typeof ENCODE_LIMITS;
  readonly #folders: JobFolders;
  #known: Promise<Abilities & Confinement> | undefined;

  constructor({ limits, ...options }: FfmpegEncoderOptions) {
    if (!isPath(options.work)) throw new InputError("work", "the folder of an encoder's jobs is an absolute path");
    const usual = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", slots: 5, progressMs: 2_000, keepMs: 7 * DAY_MS };
    this.#options = { ...usual, service: "encoder", ...options };
    this.#limits = { ...ENCODE_LIMITS, ...limits };
    this.#folders = new JobFolders(options.work);
  }

  async about(signal?: AbortSignal) {
    const { prefix: _, memory: __, ...known } = await this.#tried(signal);
    return { program: this.#options.ffmpeg, ...known, slots: this.#options.slots };
  }

  async start(asked: EncodeOrder, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<string> {
    const { key, input, output, profile } = checkedOrder(asked);
    signal?.throwIfAborted();
    const folder = this.#folders.of(key);
    const { codecs, audioCodecs, prefix, memory } = await this.#tried(signal);
    if (!codecs.includes(profile.codec)) throw this.#cannot(profile.codec);
    if (profile.audio.codec !== "copy" && !audioCodecs.includes(profile.audio.codec))
      throw this.#cannot(profile.audio.codec);
    const { ffmpeg, ffprobe, progressMs } = this.#options;
    const { memoryBytes: _, ...limits } = this.#limits;
    const job = { key, input, output, profile, ffmpeg, ffprobe, progressMs, limits, confined: prefix, memory };
    await this.#inWords("keeping the job", async () => {
      this.#folders.add({ ...job, part: partOf(job) });
      await this.#haveRunner(folder);
    });
    return key;
  }

  async adopt(key: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<string | null> {
    signal?.throwIfAborted();
    const folder = this.#folders.of(key);
    return this.#inWords("finding the job", async () => {
      if (folder.job() === undefined) return null;
      const runner = await this.#haveRunner(folder);
      return runner !== undefined && "isCancelled" in runner ? null : key;
    });
  }

  async look(
    refs: readonly string[],
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<readonly SeenEncode[]> {
    signal?.throwIfAborted();
    return this.#inWords("looking at the jobs", async () => refs.map((ref) => this.#seen(ref)));
  }

  async cancel(ref: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    signal?.throwIfAborted();
    const folder = this.#folderOf(ref);
    if (folder === undefined) return;
    await this.#inWords("cancelling the job", async () => {
      const job = folder.job();
      let runner = folder.runner();
      if (job === undefined && runner === undefined) return;
      // One may be about to begin.
      if (runner === undefined && !folder.close()) runner = folder.runner();
      if (runner !== undefined && !("isCancelled" in runner) && (await reap(runner)) === "stuck")
        throw transient("STUCK", "a process of the job cannot be ended", { service: this.#options.service });
      bury(folder);
      if (job !== undefined) rmSync(job.part, { force: true });
      folder.remove();
    });
  }

  async list(
    prefix: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<readonly Listed[]> {
    signal?.throwIfAborted();
    return this.#inWords("listing the jobs", async () =>
      this.#folders
        .keys()
        .filter((key) => key.startsWith(prefix))
        .map((key) => ({ ref: key, key, state: this.#seen(key).state }))
        .filter(({ state }) => state !== "missing"),
    );
  }

  async recover(): Promise<Recovered> {
    return this.#inWords("looking at what was left", async () => {
      this.#folders.sweep(Date.now() - HOUR_MS);
      const found = { alive: [] as string[], lost: [] as string[], forgotten: [] as string[] };
      for (const key of this.#folders.keys()) {
        const folder = this.#folders.of(key);
        const runner = folder.runner();
        const endedAt = folder.endedAt();
        if (endedAt !== undefined) {
          if (Date.now() - endedAt < this.#options.keepMs) continue;
          folder.remove();
          found.forgotten.push(key);
        } else if (runner !== undefined && !("isCancelled" in runner)) {
          const isAlive = findProcess(runner) === "alive";
          if (!isAlive) bury(folder);
          (isAlive ? found.alive : found.lost).push(key);
        } else if (runner !== undefined) await this.cancel(key);
      }
      return found;
    });
  }

  #seen(ref: string): SeenEncode {
    const folder = this.#folderOf(ref);
    return folder === undefined ? { ref, state: "missing" } : seenOf(folder, this.#options.service);
  }

  /** What cannot be a key is a job that is not there. */
  #folderOf(ref: string): JobFolder | undefined {
    try {
      return this.#folders.of(ref);
    } catch (error) {
      if (error instanceof InputError) return undefined;
      throw error;
    }
  }

  /** Whoever started it may have died before it had one. */
  async #haveRunner(folder: JobFolder) {
    const runner = folder.runner();
    if (runner === undefined) await startRunner(folder.path);
    return runner;
  }

  async #tried(signal: AbortSignal | undefined): Promise<Abilities & Confinement> {
    const { ffmpeg, ffprobe } = this.#options;
    // For all who ask at the same time, so nobody's own signal ends it; what went wrong is tried again.
    this.#known ??= Promise.all([abilitiesOf(ffmpeg, ffprobe), confineFfmpeg(ffmpeg, this.#limits.memoryBytes)]).then(
      ([abilities, confinement]) => ({ ...abilities, ...confinement }),
      (error: unknown) => {
        this.#known = undefined;
        throw error;
      },
    );
    const known = await this.#known;
    signal?.throwIfAborted();
    return known;
  }

  #cannot(codec: string): Fault {
    const { service, ffmpeg } = this.#options;
    return permanent("UNSUPPORTED_CODEC", `${ffmpeg} cannot encode ${codec} here`, { service });
  }

  async #inWords<T>(what: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw errnoFault(error, what, this.#options.service);
    }
  }
}
