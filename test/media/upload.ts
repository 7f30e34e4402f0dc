// A large file to a real sshd: cut at 60 % and gone on with, and compared in time with OpenSSH's own client.

import { spawnSync } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { closeSync, createReadStream, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { SFTPWrapper } from "ssh2";
import { Line } from "../../sandbox/media/line.ts";
import { SshdProcess } from "../../sandbox/media/sshd-process.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { Fault } from "../../src/engine/index.ts";
import { sshdClient } from "../support/destination-worlds.ts";

export interface Cut {
  /** Of the file, over both tries together, less its size. */
  readonly sentAgain: number;
  readonly isSame: boolean;
}

export interface Race {
  readonly theirMs: number;
  /** Sent, written out, compared and named. */
  readonly ourMs: number;
  /** Until the server had said of every byte that it has it. */
  readonly ourSendingMs: number;
}

/** Sets up a file of so many megabytes and a server, and takes both away. */
export async function withUpload<T>(megabytes: number, work: (upload: Upload) => Promise<T>): Promise<T> {
  const folder = temporaryFolder("sluice-upload");
  mkdirSync(join(folder, "sshd"), { mode: 0o711 });
  const sshd = new SshdProcess(join(folder, "sshd"));
  try {
    await sshd.start();
    return await work(new Upload(folder, sshd, megabytes));
  } finally {
    await sshd.stop();
    rmSync(folder, { recursive: true });
  }
}

export class Upload {
  readonly #sshd: SshdProcess;
  readonly #folder: string;
  readonly #file: string;
  readonly #bytes: number;

  constructor(folder: string, sshd: SshdProcess, megabytes: number) {
    this.#folder = folder;
    this.#sshd = sshd;
    this.#bytes = megabytes * 1_000_000;
    this.#file = join(folder, "film.mkv");
    writeNoise(this.#file, megabytes);
  }

  async cut(): Promise<Cut> {
    const line = new Line(() => this.#sshd.port);
    await line.up();
    const counted = countWrites();
    const parcel = { file: this.#file, to: "cut/film.mkv", id: "cut" };
    const client = sshdClient(this.#sshd, line);
    const onBytes = (bytes: number) => bytes >= 0.6 * this.#bytes && line.cut();
    try {
      const fault = await client.send(parcel, { onBytes }).catch((error: unknown) => error);
      if (!(fault instanceof Fault) || fault.code !== "CONNECTION_LOST")
        throw new Error("it was not cut", { cause: fault });
      const { bytes } = await client.send(parcel);
      await client.publish({ ...parcel, bytes });
      const [here, there] = [await sha256(this.#file), await sha256(join(this.#sshd.root, parcel.to))];
      return { sentAgain: counted.bytes() - this.#bytes, isSame: here === there };
    } finally {
      counted.stop();
      await line.down();
    }
  }

  async race(): Promise<Race> {
    const theirMs = this.#theirs();
    const parcel = { file: this.#file, to: "race/film.mkv", id: "race" };
    const client = sshdClient(this.#sshd, this.#sshd);
    const started = performance.now();
    let ourSendingMs = 0;
    const onBytes = (bytes: number) => {
      if (bytes === this.#bytes) ourSendingMs = performance.now() - started;
    };
    const { bytes } = await client.send(parcel, { onBytes });
    await client.publish({ ...parcel, bytes });
    return { theirMs, ourSendingMs, ourMs: performance.now() - started };
  }

  #theirs(): number {
    const { port, username, privateKey, root } = this.#sshd;
    const key = join(this.#folder, "key");
    writeFileSync(key, privateKey, { mode: 0o600 });
    const options = ["-i", key, "-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null", "-oLogLevel=ERROR"];
    const input = `put ${this.#file} ${root}/theirs.mkv\n`;
    const started = performance.now();
    const run = spawnSync("sftp", ["-P", `${port}`, ...options, "-b", "-", `${username}@127.0.0.1`], { input });
    if (run.status !== 0) throw new Error(`sftp failed: ${run.stderr}`);
    return performance.now() - started;
  }
}

/** Nothing that could be made smaller on the way. */
function writeNoise(path: string, megabytes: number): void {
  const file = openSync(path, "w");
  const piece = Buffer.alloc(1_000_000);
  for (let i = 0; i < megabytes; i += 1) writeSync(file, randomFillSync(piece));
  closeSync(file);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1_000_000 })) hash.update(piece as Buffer);
  return hash.digest("hex");
}

/** Of files, where they are handed to the connection: whatever left us is among that. */
function countWrites(): { bytes(): number; stop(): void } {
  const { SFTP } = createRequire(import.meta.url)("ssh2/lib/protocol/SFTP.js") as { SFTP: { prototype: SFTPWrapper } };
  const { write } = SFTP.prototype;
  let bytes = 0;
  SFTP.prototype.write = function (this: SFTPWrapper, handle, buffer, offset, length, position, callback) {
    bytes += length;
    write.call(this, handle, buffer, offset, length, position, callback);
  };
  return {
    bytes: () => bytes,
    stop: () => {
      SFTP.prototype.write = write;
    },
  };
}
