// The encoder of this machine as the contract wants a world: real films, real processes, folders of its own.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFilm, makePattern } from "../../sandbox/media/films.ts";
import {
  type EncodeOrder,
  type Encoder,
  type EncoderContractWorld,
  encodingProfile,
  type FfmpegEncoder,
  type FfmpegEncoderOptions,
  ffmpegEncoder,
  type SeenEncode,
} from "../../src/connectors/index.ts";

export const SECONDS = 3;
const PATIENCE_MS = 40_000;
const PASS_MS = 450;
const LOOK_MS = 40;

/** Films that only have to be copied, made once. */
export class Films {
  #folder = "";

  get pattern(): string {
    return join(this.#folder, "pattern.mkv");
  }

  async make(): Promise<void> {
    this.#folder = mkdtempSync(join(tmpdir(), "sluice-films-"));
    await makePattern(this.pattern, { seconds: SECONDS, kilobytes: 400 });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface Running {
  readonly pid: number;
  readonly command: string;
}

/** All processes whose command line holds this. */
export function processesWith(text: string): readonly Running[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return command.includes(text) ? [{ pid: Number(name), command }] : [];
    } catch {
      return []; // gone meanwhile
    }
  });
}

export class RealEncoderWorld implements EncoderContractWorld {
  readonly root = mkdtempSync(join(tmpdir(), "sluice-encoder-"));
  readonly work = join(this.root, "work");
  readonly client: FfmpegEncoder;
  readonly #lie = join(this.root, "lie");
  readonly #films: Films;
  readonly #options: Partial<FfmpegEncoderOptions>;

  constructor(films: Films, options: Partial<FfmpegEncoderOptions> = {}) {
    this.#films = films;
    this.#options = options;
    for (const folder of ["films", "encoded", "work"]) mkdirSync(join(this.root, folder));
    this.client = this.nextLife();
  }

  nextLife(): FfmpegEncoder {
    const usual = { work: this.work, ffmpeg: this.#program(), progressMs: 100 };
    return ffmpegEncoder({ ...usual, ...this.#options, limits: { threads: 1, niceness: 0, ...this.#options.limits } });
  }

  /** ffmpeg, but for films that are to be slow, which it reads as they play, and for what it is to lie about. */
  #program(): string {
    const file = join(this.root, "ffmpeg");
    const cut = `for last; do :; done; head -c 100000 '${this.#films.pattern}' > "\${last#file:}"; exit 0`;
    const lie = `case "$*" in *-progress*) if [ -e '${this.#lie}' ]; then ${cut}; fi ;; esac`;
    const slow = 'case "$*" in *slow-*) exec ffmpeg -re "$@" ;; esac';
    writeFileSync(file, `#!/bin/sh\n${lie}\n${slow}\nexec ffmpeg "$@"\n`);
    chmodSync(file, 0o755);
    return file;
  }

  async film(name: string, is?: "slow" | "cut" | "rubbish"): Promise<string> {
    const file = join(this.root, "films", `${is ?? "whole"}-${name}.mkv`);
    if (is === "rubbish") writeFileSync(file, "<html>Please enable cookies</html>");
    else await makeFilm(this.#films.pattern, file, name);
    if (is === "cut") truncateSync(file, Math.floor(readFileSync(file).length * 0.5));
    return file;
  }

  async order(key: string, is?: Parameters<RealEncoderWorld["film"]>[1], more: object = {}): Promise<EncodeOrder> {
    const profile = encodingProfile.parse({ name: "small", codec: "h264", crf: 40, preset: "ultrafast", ...more });
    const name = key.replace(":", "-");
    return { key, input: await this.film(name, is), output: this.place(`${name}.${profile.container}`), profile };
  }

  place(name: string): string {
    return join(this.root, "encoded", name);
  }

  has(path: string): boolean {
    return existsSync(path);
  }

  async until(client: Encoder, ref: string, isSo: (seen: SeenEncode) => boolean): Promise<SeenEncode> {
    let last: SeenEncode | undefined;
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await this.#sleep(LOOK_MS)) {
      [last] = await client.look([ref]);
      if (last !== undefined && isSo(last)) return last;
    }
    throw new Error(`it never came to this: ${isSo}; but ${JSON.stringify(last)}`);
  }

  ended(ref: string): Promise<SeenEncode> {
    return this.until(this.client, ref, ({ state }) => state === "done" || state === "failed" || state === "missing");
  }

  moving(ref: string): Promise<SeenEncode> {
    return this.until(this.client, ref, ({ marks }) => (marks?.frames ?? 0) > 0);
  }

  /** Some of ffmpeg's own periods: what does not move in them stands still. */
  pass(): Promise<void> {
    return this.#sleep(PASS_MS);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  ffmpegs(key: string): readonly Running[] {
    return processesWith(join(this.work, encodeURIComponent(key))).filter(({ command }) =>
      command.includes("-progress"),
    );
  }

  runners(): readonly Running[] {
    return processesWith(this.work).filter(({ command }) => command.includes("runner/main"));
  }

  programs(key: string): number {
    return this.ffmpegs(key).length;
  }

  parts(): readonly string[] {
    return readdirSync(join(this.root, "encoded")).filter((name) => name.includes(".part"));
  }

  signal(key: string, signal: NodeJS.Signals): void {
    for (const { pid } of this.ffmpegs(key)) process.kill(pid, signal);
  }

  lie(): void {
    writeFileSync(this.#lie, "");
  }

  /** As if nothing had happened. */
  async clean(): Promise<void> {
    for (const key of readdirSync(this.work)) await this.client.cancel(decodeURIComponent(key));
    rmSync(this.#lie, { force: true });
    for (const folder of ["films", "encoded"])
      for (const name of readdirSync(join(this.root, folder)))
        rmSync(join(this.root, folder, name), { recursive: true });
  }

  async stop(): Promise<void> {
    await this.clean();
    rmSync(this.root, { recursive: true, force: true });
  }
}
