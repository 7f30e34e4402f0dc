// The board's side of the disk: a folder for each job, what lies in it, and films that arrive piece by piece.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { errnoFault } from "../../../connectors/index.ts";
import { permanent, SluiceError, transient, unavailable } from "../../../engine/index.ts";
import { filmName, type JobName, MARKER } from "./conversation.ts";

/** So much of a source is compared, in one place. */
const PROOF_BYTES = 65_536;

interface JobPlace extends JobName {
  readonly folder: string;
  readonly source_bytes: number;
  readonly profile: { readonly container: string; readonly keepLarger: boolean };
}

/** What is kept although it is larger than its source may be so many times as large, and a little. */
const LARGER_TIMES = 10;
const LARGER_BYTES = 1024 ** 3;
/** For all else that is written there. */
const ROOM_BYTES = 100_000_000;

/** What one turn makes. */
export const outputOf = ({ folder, turn, profile }: JobPlace): string =>
  join(folder, filmName(turn, profile.container));
const arrivingOf = (job: JobPlace): string => join(job.folder, `.${job.turn}.arriving`);

export async function layOut(folder: string, marker: string): Promise<void> {
  await inWords("making a folder for the film", async () => {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await writeFile(join(folder, MARKER), marker, { mode: 0o644 });
  });
}

export async function clear(folder: string): Promise<void> {
  await inWords("removing what was encoded", () => rm(folder, { recursive: true, force: true }));
}

/** Some bytes of a source, by which another can tell that it sees the same file. */
export async function proofOf(path: string, bytes: number, fraction: number) {
  const length = Math.min(PROOF_BYTES, bytes);
  const at = Math.floor(fraction * (bytes - length + 1));
  const block = await readBlock(path, at, length);
  return { path, bytes, at, length, sha256: createHash("sha256").update(block).digest("hex") };
}

/** Fewer at its end. */
export async function readBlock(path: string, at: number, length: number): Promise<Uint8Array> {
  return await inWords("reading the film", async () => {
    const handle = await open(path, "r");
    try {
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await handle.read(buffer, 0, length, at);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  });
}

export async function arrivedBytes(job: JobPlace): Promise<number> {
  return (await sizeOf(outputOf(job))) ?? (await sizeOf(arrivingOf(job))) ?? 0;
}

/** Without being asked to keep what is larger, no encoder sends it. */
export const filmLimit = ({ source_bytes: bytes, profile }: JobPlace): number =>
  profile.keepLarger ? LARGER_TIMES * bytes + LARGER_BYTES : bytes;

/** Only behind what is there: a piece that comes twice, or too early, changes nothing. Answers with how much is there. */
export async function addPiece(job: JobPlace, at: number, piece: Uint8Array): Promise<number> {
  return await inWords("writing the film", async () => {
    const here = (await sizeOf(arrivingOf(job))) ?? 0;
    if (here !== at) return here;
    const limit = filmLimit(job);
    if (at + piece.byteLength > limit)
      throw permanent(
        "OUTPUT_TOO_LARGE",
        `a film of a source of ${job.source_bytes} bytes may have ${limit}, not more`,
      );
    const { bavail, bsize } = await statfs(job.folder);
    if (bavail * bsize < piece.byteLength + ROOM_BYTES)
      throw unavailable("DISK_FULL", `there is no room for the film: ${bavail * bsize} bytes are free`);
    const handle = await open(arrivingOf(job), here === 0 ? "w" : "r+", 0o644);
    try {
      await handle.write(piece, 0, piece.byteLength, at);
    } finally {
      await handle.close();
    }
    return at + piece.byteLength;
  });
}

/** What arrived has its name only where it is what was sent. */
export async function takeWhole(job: JobPlace, bytes: number, sha256: string): Promise<void> {
  const arriving = arrivingOf(job);
  await inWords("taking the film", async () => {
    // Told twice: it has its name.
    if ((await sizeOf(outputOf(job))) === bytes) return;
    const found = await sha256Of(arriving);
    if ((await sizeOf(arriving)) === bytes && found === sha256) {
      await synced(arriving);
      await rename(arriving, outputOf(job));
      return await synced(job.folder);
    }
    await rm(arriving, { force: true });
    throw transient("BAD_TRANSFER", "what arrived is not what was sent; it is sent again");
  });
}

/** Of all of it, or of so many bytes from there on; of fewer at its end. */
export async function sha256Of(path: string, from = 0, length = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash("sha256");
  if (length > 0) await pipeline(createReadStream(path, { start: from, end: from + length - 1 }), hash);
  return hash.digest("hex");
}

export async function hashBlock(path: string, from: number, length: number): Promise<string> {
  return await inWords("reading the film", () => sha256Of(path, from, length));
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function sizeOf(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}

async function inWords<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    throw errnoFault(error, what, "encoders");
  }
}
