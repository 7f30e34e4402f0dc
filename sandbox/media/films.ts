// Films made on the spot: short, real, and each with content of its own. A few patterns are encoded; the others are the same pictures
// under another title, which makes another file.

import { execFile } from "node:child_process";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { SluiceError } from "../../src/engine/index.ts";

const run = promisify(execFile);
const LIMIT = { timeout: 120_000, maxBuffer: 1024 * 1024 };

export interface FilmShape {
  readonly seconds: number;
  /** About so many; what is more than the pictures need is noise. */
  readonly kilobytes: number;
  /** A source of ffmpeg's. Default: its moving test picture. */
  readonly picture?: string;
  /** What it is called inside. */
  readonly title?: string;
}

/** A film that others are made of. */
export async function makePattern(
  file: string,
  { seconds, kilobytes, picture = "testsrc2", title = "a pattern" }: FilmShape,
): Promise<void> {
  const bitrate = `${Math.max(50, Math.floor((kilobytes * 8) / seconds))}k`;
  const pictures = `${picture}=size=320x180:rate=24,noise=alls=20:allf=t,trim=duration=${seconds}`;
  const sources = ["-f", "lavfi", "-i", pictures, "-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`];
  const rate = ["-b:v", bitrate, "-minrate", bitrate, "-maxrate", bitrate, "-bufsize", bitrate];
  const codecs = [
    "-c:v",
    "libx264",
    "-pix_fmt",
    "yuv420p",
    "-preset",
    "ultrafast",
    ...rate,
    "-c:a",
    "aac",
    "-shortest",
  ];
  // Without sums over its parts, so that its title can be written over.
  const form = ["-metadata", `title=${title}`, "-write_crc32", "0"];
  await ffmpeg([...sources, ...codecs, ...form, file]);
}

/** The same pictures under a title, in a container of their own. */
export async function makeFilm(pattern: string, file: string, title: string): Promise<void> {
  const part = path.join(path.dirname(file), `.${path.basename(file)}.part.mkv`);
  await ffmpeg(["-i", pattern, "-c", "copy", "-metadata", `title=${title}`, part]);
  await rename(part, file).catch(async (error: unknown) => {
    await rm(part, { force: true });
    throw error;
  });
}

async function ffmpeg(args: readonly string[]): Promise<void> {
  await run("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args], LIMIT).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw missing("ffmpeg", error);
    throw error;
  });
}

/** Before anything is begun that would fail halfway. */
export async function checkPrograms(): Promise<void> {
  for (const program of ["ffmpeg", "ffprobe"])
    await run(program, ["-version"], LIMIT).catch((error: unknown) => {
      throw missing(program, error);
    });
}

const missing = (program: string, cause: unknown): SluiceError =>
  new SluiceError(
    "PROGRAM_MISSING",
    `${program} is not there: the films of this world are made by ffmpeg, and looked at by ffprobe. Install it (apt install ffmpeg, brew install ffmpeg), or have a folder with both in PATH`,
    { cause },
  );
